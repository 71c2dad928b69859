// Kills the sending process at each of its requests, before the bucket received the request or after the bucket executed it. The file
// arrives completely, and no acknowledged part is sent again.
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type BucketServer, startBucketServer } from '../src/testing/bucket-server.ts';

const sender = fileURLToPath(new URL('../src/testing/object-sender.ts', import.meta.url));
let server: BucketServer;
let folder: string;
let file: string;
const content = randomBytes(3 * 64 * 1024 + 1_000);

beforeAll(async () => {
  server = await startBucketServer();
  folder = await mkdtemp(join(tmpdir(), 'srs-kills-'));
  file = join(folder, 'index.mp4');
  await writeFile(file, content);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  server.requests.length = 0;
  server.behave = () => 'pass';
});

function send(dataDir: string, uuid: string) {
  const child = spawn(process.execPath, [sender, dataDir, file, server.endpoint, uuid], { stdio: 'inherit' });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { kill: () => child.kill('SIGKILL'), ended };
}

async function objectOf(uuid: string) {
  const response = await fetch(`${server.endpoint}/recordings/films/live/${uuid}.mp4`);
  return Buffer.from(await response.arrayBuffer());
}

const steps = ['begin', 'part 1', 'part 2', 'part 3', 'part 4', 'complete', 'head', 'get'];

it.each(steps.flatMap((step) => [`before ${step}`, `after ${step}`]))(
  'killed %s, the next process sends the complete file',
  async (moment) => {
    const [when, step] = [moment.split(' ')[0], moment.split(' ').slice(1).join(' ')];
    const uuid = randomUUID();
    const dataDir = await mkdtemp(join(folder, 'data-'));
    const first = send(dataDir, uuid);
    let hasDied = false;
    server.behave = ({ what }) => {
      if (hasDied || what !== step) return hasDied ? 'break' : 'pass';
      hasDied = true;
      first.kill();
      return when === 'before' ? 'break' : 'lose';
    };
    expect(await first.ended).toBeNull();
    const before = server.requests.map(({ what }) => what);
    server.requests.length = 0;
    server.behave = () => 'pass';
    expect(await send(dataDir, uuid).ended).toBe(0);
    expect(await objectOf(uuid)).toEqual(content);
    const stored = JSON.parse(await readFile(join(dataDir, 'stored.json'), 'utf8'));
    expect(stored).toMatchObject({ key: `films/live/${uuid}.mp4`, sizeBytes: content.length });
    // Only parts in transit at the kill may be sent twice.
    const twice = server.requests.filter(({ what }) => what.startsWith('part') && before.includes(what));
    expect(twice.length).toBeLessThanOrEqual(3);
    if (['complete', 'head', 'get'].includes(step)) expect(twice).toEqual([]);
  },
);
