// Synchronizes the table of recordings with the record folder after one of them was lost or restored from a backup.
import type { Collection } from '../store/store.ts';
import type { RecordFacts } from './record-facts.ts';
import type { RecordFolder } from './record-folder.ts';
import { readBack, takeInventory } from './record-inventory.ts';
import { writePlaylist } from './segments/playlist-text.ts';

export interface RebuildResult {
  /** Number of recordings that are now in both the table and the folder. */
  readonly recordings: number;
  /** Number of recordings that were missing in the table. */
  readonly added: number;
  /** Number of removed rows, whose recordings have no files. */
  readonly removed: number;
  /** Number of recordings whose MP4 is created at the next start. */
  readonly unfinished: number;
}

/** Synchronizes table and folder. Must run while the server is stopped; never changes media files. */
export async function rebuildRecords(
  folder: RecordFolder,
  rows: Collection<RecordFacts>,
  { now, nodeId }: { readonly now: Date; readonly nodeId: string },
): Promise<RebuildResult> {
  // Continues without the rows if they are damaged: the folder has the same data.
  const known = await rows.entries().catch(() => new Map<string, RecordFacts>());
  const { present, missing: absent } = await takeInventory(folder, known, now);
  // Recordings of other nodes are in folders that this server does not see.
  const missing = absent.filter(({ node = nodeId }) => node === nodeId);
  let [recordings, unfinished, removed] = [0, 0, missing.length];
  for (const { uuid } of missing) await rows.remove(uuid);
  for (const facts of present) {
    const rebuilt = facts.removedAt === undefined ? await readBack(folder, facts.uuid, facts) : facts;
    if (rebuilt === undefined) {
      await rows.remove(facts.uuid);
      removed += 1;
      continue;
    }
    await rows.put(rebuilt.uuid, { ...rebuilt, node: nodeId });
    recordings += 1;
    if (rebuilt.removedAt !== undefined) continue;
    unfinished += rebuilt.state === 'done' ? 0 : 1;
    await folder.writeFacts(rebuilt);
    if (rebuilt.label) await folder.writeLabel(rebuilt.uuid, rebuilt.label);
    const segments = await folder.segments(rebuilt.uuid);
    if (segments.length > 0) await folder.writePlaylist(rebuilt.uuid, writePlaylist(segments, ''));
  }
  return { recordings, added: present.filter(({ uuid }) => !known.has(uuid)).length, removed, unfinished };
}
