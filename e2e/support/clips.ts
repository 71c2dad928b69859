// Test clips, which are encoded once for all processes. A hash of the FFmpeg arguments identifies a clip.
// `npm ci` deletes the clips.
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { decodeFrames } from './ffprobe.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../../node_modules/.cache/srs-stack-tests/clips', import.meta.url));
/** Clips requested in this process, by the hash of their arguments. */
const clips = new Map<string, Promise<string>>();

/** Resolves with the path of the MP4 for these FFmpeg arguments (inputs and codecs). Creates a missing MP4. */
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
  // Several processes may create one clip simultaneously. Each renames a complete file, so no process reads a partial clip.
  const own = join(folder, `${name}-${randomUUID()}.mp4`);
  await run('ffmpeg', ['-nostdin', '-loglevel', 'error', ...args, '-y', own]);
  await rename(own, file);
  return file;
}

/** Hash of every frame of a clip in presentation order. Only the first test decodes the clip. */
export async function framesOfClip(clip: string): Promise<readonly string[]> {
  const file = `${clip}.pictures.json`;
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as string[];
  const { hashes, errors } = await decodeFrames(clip);
  if (errors) throw new Error(`${clip} does not decode: ${errors}`);
  const own = `${file}-${randomUUID()}`;
  await writeFile(own, JSON.stringify(hashes));
  await rename(own, file);
  return hashes;
}
