// Uploaded segments of a recording: one line per segment in `uploaded.jsonl` of the record folder. A line is flushed before the local
// segment is deleted: after a crash, lines and local segments together are complete.
import { open, readFile, rm } from 'node:fs/promises';
import { z } from 'zod';
import type { RecordFolder, StoredSegment } from '../record-folder.ts';
import { compareSegments, parseSegmentName, writeSegmentName } from '../segments/segment-name.ts';

const ledgerName = 'uploaded.jsonl';

const ledgerLine = z.object({
  name: z.string(),
  sizeBytes: z.number(),
  writtenAtMs: z.number(),
  /** Object key. */
  key: z.string(),
});
type LedgerLine = z.infer<typeof ledgerLine>;

/** A record folder whose segments may exist only in the cloud. Caches the list of segments. */
export interface CloudFolder extends RecordFolder {
  /** Lines by segment name; of repeated uploads, the last line. */
  uploaded(uuid: string): Promise<ReadonlyMap<string, LedgerLine>>;
  local(uuid: string): Promise<readonly StoredSegment[]>;
  note(uuid: string, line: LedgerLine): Promise<void>;
  removeLocal(uuid: string, segment: StoredSegment): Promise<void>;
  /** Frees the memory of a finished recording. */
  forget(uuid: string): void;
}

interface Known {
  readonly uploaded: Map<string, LedgerLine>;
  readonly here: StoredSegment[];
}

/** Wraps a record folder. @param onAdopted called for each new segment. */
export function withLedger(folder: RecordFolder, onAdopted: (uuid: string) => void): CloudFolder {
  const known = new Map<string, Promise<Known>>();
  const pathOf = (uuid: string) => folder.pathOf(uuid, ledgerName);
  const read = async (uuid: string): Promise<Known> => {
    const lines = await readLedger(pathOf(uuid));
    return { uploaded: new Map(lines.map((line) => [line.name, line])), here: await folder.segments(uuid) };
  };
  const of = (uuid: string): Promise<Known> => {
    const found = known.get(uuid);
    if (found) return found;
    const begun = read(uuid);
    known.set(uuid, begun);
    begun.catch(() => known.delete(uuid));
    return begun;
  };
  return {
    ...folder,
    uploaded: async (uuid) => (await of(uuid)).uploaded,
    local: async (uuid) => (await of(uuid)).here,
    async adopt(source, uuid, segment) {
      const { here } = await of(uuid);
      const stored = await folder.adopt(source, uuid, segment);
      if (!here.some(({ mark }) => mark === stored.mark)) here.push(stored);
      here.sort(compareSegments);
      onAdopted(uuid);
      return stored;
    },
    async segments(uuid) {
      return allOf(await read(uuid));
    },
    async note(uuid, line) {
      await appendToLedger(pathOf(uuid), line);
      (await of(uuid)).uploaded.set(line.name, line);
    },
    async removeLocal(uuid, segment) {
      await rm(folder.pathOf(uuid, writeSegmentName(segment)), { force: true });
      const { here } = await of(uuid);
      const place = here.findIndex(({ mark }) => mark === segment.mark);
      if (place >= 0) here.splice(place, 1);
    },
    async purge(uuid) {
      known.delete(uuid);
      await folder.purge(uuid);
    },
    forget: (uuid) => known.delete(uuid),
  };
}

function allOf({ here, uploaded }: Known): StoredSegment[] {
  const names = new Set(here.map(writeSegmentName));
  const gone = [...uploaded.values()].flatMap((line) => {
    const segment = names.has(line.name) ? undefined : parseSegmentName(line.name);
    return segment ? [{ ...segment, sizeBytes: line.sizeBytes, writtenAtMs: line.writtenAtMs }] : [];
  });
  return [...here, ...gone].sort(compareSegments);
}

async function appendToLedger(path: string, line: LedgerLine): Promise<void> {
  const file = await open(path, 'a');
  try {
    // The leading newline ends a partial line of a crashed process.
    await file.appendFile(`\n${JSON.stringify(line)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function readLedger(path: string): Promise<LedgerLine[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [ledgerLine.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}
