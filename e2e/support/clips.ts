// Test clips are encoded once: the first test that needs a clip creates it, and all others, in any process, find it by
// the arguments that created it. `npm ci` deletes the clips.
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { decodePictures } from './ffprobe.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../../node_modules/.cache/srs-stack-tests/clips', import.meta.url));
/** Clips that were requested in this process, by the hash of their arguments. */
const clips = new Map<string, Promise<string>>();

/** Resolves with the path of the MP4 that these FFmpeg arguments (inputs and codecs) create; creates it if it does not exist. */
export function clipOf(args: readonly string[]): Promise<string> {
  const name = createHash('sha256').update(JSON.stringify(args)).digest('hex').slice(0, 16);
  const clip = clips.get(name) ?? makeClip(name, args);
  clips.set(name, clip);
  return clip;
}

async function makeClip(name: string, args: readonly string[]): Promise<string> {
  const file = join(folder, `${name}.mp4`);
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  // Another process may create the same clip: each replaces the file by a complete one.
  const own = join(folder, `${name}-${randomUUID()}.mp4`);
  await run('ffmpeg', ['-nostdin', '-loglevel', 'error', ...args, '-y', own]);
  await rename(own, file);
  return file;
}

/** Hash of every frame of a clip, in presentation order; decoded once for all tests. */
export async function picturesOfClip(clip: string): Promise<readonly string[]> {
  const file = `${clip}.pictures.json`;
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as string[];
  const { hashes, errors } = await decodePictures(clip);
  if (errors) throw new Error(`${clip} does not decode: ${errors}`);
  const own = `${file}-${randomUUID()}`;
  await writeFile(own, JSON.stringify(hashes));
  await rename(own, file);
  return hashes;
}
