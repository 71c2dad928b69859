// Creates finished recordings in a data folder before its server starts. A recording has two segments and an MP4 of random bytes.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSegmentName } from '../../packages/platform/src/recording/segments/segment-name.ts';

export interface SeededRecording {
  readonly uuid: string;
  readonly stream: string;
  readonly mp4: Buffer;
  readonly slices: readonly Buffer[];
}

/** @param begin start time in the format of RFC 3339. */
export function seedRecording(dataDir: string, stream: string, begin: string, mp4Bytes: number): SeededRecording {
  const uuid = randomUUID();
  const folder = join(dataDir, 'record', uuid);
  mkdirSync(folder, { recursive: true });
  const mp4 = randomBytes(mp4Bytes);
  const slices = [1, 2].map((sequence) => {
    const bytes = randomBytes(188 * 100);
    const place = { run: 0, sequence, durationMs: 2_000, mark: randomBytes(6).toString('hex'), isDiscontinuous: false };
    writeFileSync(join(folder, writeSegmentName(place)), bytes);
    return bytes;
  });
  writeFileSync(join(folder, 'index.mp4'), mp4);
  const source = { vhost: '__defaultVhost__', app: 'live', stream, m3u8Url: `live/${stream}.m3u8` };
  const sums = { nn: 2, duration: 4, size: 2 * 188 * 100, mp4Size: mp4.length };
  const facts = { uuid, ...source, begin, update: begin, state: 'done', ...sums, problemKind: null, problem: '' };
  writeFileSync(join(folder, 'recording.json'), JSON.stringify(facts));
  return { uuid, stream, mp4, slices };
}
