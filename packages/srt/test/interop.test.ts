// The listener of this package with libsrt (FFmpeg and srt-live-transmit): both directions, unencrypted and encrypted.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SrtOptions } from '../src/handshake/handshake-options.ts';
import { rejectReason } from '../src/handshake/reject-reason.ts';
import { type ConnectionRequest, monotonicUs, type SrtConnection, SrtListener } from '../src/index.ts';

const run = promisify(execFile);
const passphrase = 'correct-horse-battery';
const plain: SrtOptions = { receiverLatencyMs: 120, senderLatencyMs: 120 };
const clipSeconds = 3;
let folder = '';
let clip = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'srt-interop-'));
  clip = join(folder, 'clip.mpegts');
  const sources = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x240:rate=25',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:sample_rate=48000',
  ];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-b:v', '800k', '-c:a', 'aac'];
  await run('ffmpeg', ['-v', 'error', ...sources, ...codecs, '-t', String(clipSeconds), '-f', 'mpegts', clip]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Received {
  request: ConnectionRequest;
  bytes: Promise<Buffer>;
}

async function receive(
  options: SrtOptions,
): Promise<{ listener: SrtListener; port: number; first: Promise<Received> }> {
  let settle: (received: Received) => void;
  const first = new Promise<Received>((resolve) => {
    settle = resolve;
  });
  const listener = new SrtListener(options, {
    onRequest: (request) => {
      const payloads: Buffer[] = [];
      const bytes = new Promise<Buffer>((resolve) => {
        request.accept(
          { onPayload: (payload) => payloads.push(payload), onClosed: () => resolve(Buffer.concat(payloads)) },
          monotonicUs(),
        );
      });
      settle({ request, bytes });
    },
  });
  return { listener, port: await listener.listen(0, '127.0.0.1'), first };
}

async function frameCount(file: string): Promise<number> {
  const options = [
    '-v',
    'error',
    '-count_packets',
    '-select_streams',
    'v',
    '-show_entries',
    'stream=nb_read_packets',
    '-of',
    'csv=p=0',
  ];
  const { stdout } = await run('ffprobe', [...options, file]);
  return Number.parseInt(stdout, 10);
}

/** Counts lost or repeated TS packets by their continuity counters (ISO/IEC 13818-1 §2.4.3.3). */
function continuityErrors(ts: Buffer): number {
  const last = new Map<number, number>();
  let errors = 0;
  for (let offset = 0; offset + 188 <= ts.length; offset += 188) {
    const pid = ts.readUInt16BE(offset + 1) & 0x1fff;
    const hasPayload = (ts[offset + 3]! & 0x10) !== 0;
    const counter = ts[offset + 3]! & 0x0f;
    const previous = last.get(pid);
    if (hasPayload && previous !== undefined && counter !== ((previous + 1) & 15)) errors++;
    if (hasPayload) last.set(pid, counter);
  }
  return errors;
}

describe.each([
  ['plain', plain, ''],
  ['AES-128', { ...plain, passphrase }, `&passphrase=${passphrase}&pbkeylen=16`],
  ['AES-256', { ...plain, passphrase }, `&passphrase=${passphrase}&pbkeylen=32`],
])('%s', (_name, options, query) => {
  it('receives everything that FFmpeg publishes', async () => {
    const { listener, port, first } = await receive(options);
    const url = `srt://127.0.0.1:${port}?mode=caller&streamid=#!::r=live/clip,m=publish${query}`;
    await run('ffmpeg', ['-v', 'error', '-re', '-i', clip, '-c', 'copy', '-f', 'mpegts', url]);
    const { request, bytes } = await first;
    const ts = await bytes;
    listener.close();
    expect(request.streamId).toBe('#!::r=live/clip,m=publish');
    expect(ts.length % 188).toBe(0);
    expect(continuityErrors(ts)).toBe(0);
    expect(ts.length).toBeGreaterThan(100_000);
  });

  it('sends everything that srt-live-transmit plays', async () => {
    const ts = await readFile(clip);
    const listener = new SrtListener(options, {
      onRequest: (request) => {
        const connection = request.accept({ onPayload: () => {}, onClosed: () => {} }, monotonicUs());
        if (connection) sendPaced(listener, connection, ts);
      },
    });
    const port = await listener.listen(0, '127.0.0.1');
    const output = join(folder, `played-${port}.mpegts`);
    const player = spawn(
      'srt-live-transmit',
      ['-q', '-a:no', `srt://127.0.0.1:${port}?mode=caller${query}`, 'file://con'],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const chunks: Buffer[] = [];
    player.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(player, 'close');
    listener.close();
    await writeFile(output, Buffer.concat(chunks));
    expect(Buffer.concat(chunks).equals(ts.subarray(0, Buffer.concat(chunks).length))).toBe(true);
    expect(await frameCount(output)).toBe(await frameCount(clip));
  });
});

function sendPaced(listener: SrtListener, connection: SrtConnection, ts: Buffer): void {
  const step = 7 * 188;
  let offset = 0;
  const timer = setInterval(() => {
    if (offset >= ts.length) {
      if (connection.stats(monotonicUs()).flightPackets > 0) return;
      clearInterval(timer);
      setTimeout(() => connection.close(monotonicUs()), 500);
      return;
    }
    connection.send(ts.subarray(offset, offset + step), monotonicUs());
    offset += step;
    listener.wake();
  }, 4);
}

it('libsrt reports the refusal of a passphrase', async () => {
  const refusals: number[] = [];
  const listener = new SrtListener(
    { ...plain, passphrase },
    { onRequest: () => {}, onRefused: (_remote, reason) => refusals.push(reason) },
  );
  const port = await listener.listen(0, '127.0.0.1');
  const url = `srt://127.0.0.1:${port}?mode=caller&passphrase=wrong-wrong-wrong`;
  await expect(run('ffmpeg', ['-v', 'error', '-i', clip, '-c', 'copy', '-f', 'mpegts', url])).rejects.toThrow();
  listener.close();
  expect(refusals).toEqual([rejectReason.badSecret]);
});

it("libsrt reports the host's rejection code", async () => {
  const listener = new SrtListener(plain, {
    onRequest: (request) => request.reject(rejectReason.forbidden, monotonicUs()),
  });
  const port = await listener.listen(0, '127.0.0.1');
  const url = `srt://127.0.0.1:${port}?mode=caller&streamid=x`;
  const failed = await run('ffmpeg', ['-v', 'debug', '-i', clip, '-c', 'copy', '-f', 'mpegts', url]).catch(
    (error: { stderr: string }) => error,
  );
  listener.close();
  // libsrt recognizes the code as application-defined.
  expect(failed.stderr).toContain('Application-defined rejection reason');
});
