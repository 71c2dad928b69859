// Compares the table of recordings with the record folder. Finds recordings that exist only in the table or only in the folder.
import { stat } from 'node:fs/promises';
import { noProblem, type RecordFacts } from './record-facts.ts';
import { mp4Name, type RecordFolder } from './record-folder.ts';
import { sumOf } from './running/record-task.ts';

/** Maximum number of folders read in parallel. Folders are read only if they have no row. */
const readAtOnce = 32;

export interface Inventory {
  /** Recordings with a folder. Recordings in the recycle bin have `removedAt`. */
  readonly present: RecordFacts[];
  /** Recordings of `present` that have no row in the store. */
  readonly found: RecordFacts[];
  /** Rows without a folder on this node: on another node, removed manually, or the disk is not mounted. */
  readonly missing: RecordFacts[];
}

/** Compares rows and folders of all recordings. @param known rows of the store by uuid. */
export async function takeInventory(
  folder: RecordFolder,
  known: ReadonlyMap<string, RecordFacts>,
  now: Date,
): Promise<Inventory> {
  const [names, binNames] = await Promise.all([folder.list(), folder.listBin()]);
  const inventory: Inventory = { present: [], found: [], missing: [] };
  for (const uuid of names.filter((name) => known.has(name))) {
    inventory.present.push(withoutRemoval(known.get(uuid) as RecordFacts));
  }
  const unknown = names.filter((name) => !known.has(name));
  for (let start = 0; start < unknown.length; start += readAtOnce) {
    const read = unknown.slice(start, start + readAtOnce).map((uuid) => readBack(folder, uuid));
    const found = (await Promise.all(read)).filter((facts) => facts !== undefined);
    inventory.present.push(...found);
    inventory.found.push(...found);
  }
  for (const uuid of binNames) {
    const row = known.get(uuid) ?? (await folder.readFacts(uuid));
    if (row) inventory.present.push({ ...row, removedAt: row.removedAt ?? now.toISOString() });
    if (row && !known.has(uuid)) inventory.found.push(row);
  }
  const there = new Set([...names, ...binNames]);
  for (const [uuid, row] of known) if (!there.has(uuid)) inventory.missing.push(row);
  return inventory;
}

/** Drops the removal time. The folder decides whether a recording is in the bin: a crash may separate the rename from the row. */
function withoutRemoval({ removedAt: _, ...facts }: RecordFacts): RecordFacts {
  return facts;
}

/**
 * Rebuilds the data of a recording from its files. Name of app and stream come from `recording.json`, or from the row without that file.
 * Undefined for a folder without segments and MP4, unless only a bucket has the recording.
 */
export async function readBack(
  folder: RecordFolder,
  uuid: string,
  row?: RecordFacts,
): Promise<RecordFacts | undefined> {
  const [written, segments] = [await folder.readFacts(uuid), await folder.segments(uuid)];
  const mp4 = await stat(folder.pathOf(uuid, mp4Name)).catch(() => undefined);
  const label = written?.label ?? row?.label;
  const found = written ?? row;
  const known = found && label ? { ...found, label } : found;
  const firstMs = segments[0] ? segments[0].writtenAtMs - segments[0].durationMs : mp4?.mtimeMs;
  // If only a bucket has the recording, there are no local media files.
  if (firstMs === undefined) return known?.isAway && withoutRemoval(known);
  const lastMs = segments.at(-1)?.writtenAtMs ?? firstMs;
  const facts = withoutRemoval(known ?? unknownSource(uuid, new Date(firstMs), new Date(lastMs)));
  const sums = segments.length > 0 ? sumOf(segments) : { nn: 0, duration: facts.duration, size: 0 };
  const state = mp4 ? 'done' : facts.state === 'recording' ? 'recording' : 'finishing';
  return { ...facts, ...sums, state, mp4Size: mp4?.size ?? 0 };
}

function unknownSource(uuid: string, begin: Date, update: Date): RecordFacts {
  const times = { begin: begin.toISOString(), update: update.toISOString() };
  const sums = { nn: 0, duration: 0, size: 0, mp4Size: 0 };
  return { uuid, vhost: '', app: '', stream: '', m3u8Url: '', ...times, state: 'finishing', ...sums, ...noProblem };
}
