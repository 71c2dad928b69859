// Synchronizes the table of recordings with the record folder, e.g. after the table or the folder was lost or restored from a backup.
import type { Collection } from '../store/store.ts';
import type { RecordFacts } from './record-facts.ts';
import type { RecordFolder } from './record-folder.ts';
import { readBack, takeInventory } from './record-inventory.ts';
import { writePlaylist } from './segments/playlist-text.ts';

export interface RebuildResult {
  /** Recordings that are now in both table and folder. */
  readonly recordings: number;
  /** Recordings that the table lacked. */
  readonly added: number;
  /** Rows whose recordings have no files. */
  readonly removed: number;
  /** Recordings whose MP4 is created at the next start. */
  readonly unfinished: number;
}

/** The server must be stopped. Never changes media files. */
export async function rebuildRecords(
  folder: RecordFolder,
  rows: Collection<RecordFacts>,
  { now, nodeId }: { readonly now: Date; readonly nodeId: string },
): Promise<RebuildResult> {
  // Damaged rows are ignored: the folder has equal data.
  const known = await rows.entries().catch(() => new Map<string, RecordFacts>());
  const { present, missing: absent } = await takeInventory(folder, known, now);
  // Other nodes have separate record folders, which this server cannot see.
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
