// Handles recordings of the previous process at the start: lists recordings from folder and table, and resumes unfinished ones. Runs once,
// before the first segment arrives.
import type { Log } from '@srs-stack/process/log.ts';
import { newestFirst } from './record-catalogue.ts';
import { isFinished, isOfOtherNode, type RecordCluster, type RecordFacts } from './record-facts.ts';
import type { RecordFolder } from './record-folder.ts';
import { takeInventory } from './record-inventory.ts';

/**
 * Maximum number of ended recordings whose last segments are remembered at the start. Media servers may report these segments again.
 * Usually, fewer streams end just before a kill.
 */
const maxLastEnded = 100;

export interface UnfinishedDeps {
  readonly folder: RecordFolder;
  readonly catalogue: { stored(): Promise<Map<string, RecordFacts>>; show(facts: RecordFacts): void };
  readonly others: { take(stored: ReadonlyMap<string, RecordFacts>): void };
  readonly tasks: { resume(facts: RecordFacts): Promise<void>; rememberEnd(uuid: string): Promise<void> };
  readonly finisher: { enqueue(uuid: string): void };
  readonly nodes: Pick<RecordCluster, 'self' | 'isShared' | 'isGone'>;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Resolves when running recordings are resumed. Returns the uuids of recordings without a row; in a cluster also of recordings whose row
 * does not name this node.
 */
export async function resumeUnfinished(deps: UnfinishedDeps): Promise<string[]> {
  const { folder, catalogue, others, tasks, finisher, nodes, now, log } = deps;
  const stored = await catalogue.stored();
  // A single server adopts the recordings of all nodes. In a cluster, recordings stay with their nodes unless a node is gone.
  if (nodes.isShared) others.take(stored);
  const { present, found, missing } = await takeInventory(folder, stored, now());
  const lost = missing.filter(({ node = nodes.self.id }) => node === nodes.self.id);
  if (lost.length > 0)
    log.warn({ count: lost.length }, 'recordings listed in the store are missing in the record folder');
  // Newest first: if two recordings of a playlist are running, the newer recording continues. A crash during the change from one recording
  // to the next leaves two.
  for (const facts of present.sort(newestFirst)) {
    // Another node may use the same record folder.
    if (!isFinished(facts) && isOfOtherNode(facts, nodes)) continue;
    catalogue.show(withoutNode(facts));
    if (facts.isAway && facts.removedAt === undefined) await folder.removeMedia(facts.uuid);
    if (facts.removedAt !== undefined || isFinished(facts)) continue;
    if (facts.state === 'recording') {
      await tasks.resume(facts).catch((error) => log.error({ err: error }, 'recording cannot be resumed'));
    } else finisher.enqueue(facts.uuid);
  }
  // Must run after `resume`: segments of running recordings would displace the marks of ended recordings.
  for (const { uuid } of lastEnded(present))
    await tasks
      .rememberEnd(uuid)
      .catch((error) => log.warn({ err: error, uuid }, 'last segments of an ended recording could not be read'));
  // The row lacks the id or name of this node, so other nodes cannot find the recording.
  const isUnclaimed = (facts: RecordFacts) => facts.node !== nodes.self.id || facts.nodeName !== nodes.self.name;
  const unclaimed = nodes.isShared ? present.filter((facts) => isUnclaimed(facts) && !isOfOtherNode(facts, nodes)) : [];
  return [...new Set([...found, ...unclaimed].map(({ uuid }) => uuid))];
}

/** Recently ended recordings with segments on the disk, newest first. */
function lastEnded(present: readonly RecordFacts[]): RecordFacts[] {
  const ended = present.filter(({ state, isAway, removedAt }) => state !== 'recording' && !isAway && !removedAt);
  return ended.sort((a, b) => b.update.localeCompare(a.update)).slice(0, maxLastEnded);
}

/** Drops the stored node, because this node has the files. */
function withoutNode({ node: _, nodeName: __, ...facts }: RecordFacts): RecordFacts {
  return facts;
}
