// Counts the frames in the recordings of all nodes: runs ffprobe on the segments.
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Product } from '../product.ts';

/**
 * Recording counts as ended when this number of consecutive checks has found no new segment. `lookEveryMs` is the
 * interval of the checks.
 */
const looks = 3;
const lookEveryMs = 700;

export class RecordedFrames {
  /** Segments that are already counted; complete segments do not change. */
  readonly #counted = new Set<string>();

  /** Waits until no more frames arrive. Resolves with the number of frames since the last call. */
  async since(products: readonly Product[]): Promise<number> {
    let files = await segmentsOf(products);
    for (let same = 0; same < looks; ) {
      await delay(lookEveryMs);
      const found = await segmentsOf(products);
      same = found.length === files.length && !(await hasOpenSegments(products)) ? same + 1 : 0;
      files = found;
    }
    const fresh = files.filter((file) => !this.#counted.has(file));
    for (const file of fresh) this.#counted.add(file);
    return fresh.length === 0 ? 0 : countFrames(fresh);
  }
}

async function segmentsOf(products: readonly Product[]): Promise<string[]> {
  const lists = products.map(async ({ dataDir }) => {
    const root = join(dataDir, 'record');
    const names = await readdir(root, { recursive: true });
    return names.filter((name) => name.endsWith('.ts')).map((name) => join(root, name));
  });
  return (await Promise.all(lists)).flat();
}

async function hasOpenSegments(products: readonly Product[]): Promise<boolean> {
  const lists = await Promise.all(products.map(({ dataDir }) => readdir(join(dataDir, 'hls/live')).catch(() => [])));
  return lists.flat().some((name) => name.endsWith('.ts.tmp'));
}

/** Counts all files in one run, because a start per file would take a minute. Segments may be concatenated (ISO/IEC 13818-1). */
async function countFrames(files: readonly string[]): Promise<number> {
  const show = ['-count_packets', '-select_streams', 'v', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0'];
  const program = spawn('ffprobe', ['-loglevel', 'quiet', '-f', 'mpegts', ...show, 'pipe:0']);
  const joined = async function* () {
    for (const file of files) yield* createReadStream(file);
  };
  const [counts] = await Promise.all([text(program.stdout), pipeline(Readable.from(joined()), program.stdin)]);
  return counts.split('\n').reduce((sum, line) => sum + (Number.parseInt(line, 10) || 0), 0);
}
