// What is kept of a recording: one row of the store and, with the same content, `recording.json` in its folder, so that
// each can be rebuilt from the other.
import { type FileNode, type RecordRow, recordProblemKinds, recordStates } from '@srs-stack/contract';
import { z } from 'zod';
import { type StoredObject, storedObject } from '../objects/bucket.ts';
import type { CollectionType } from '../store/store.ts';

export const recordFacts = z.object({
  uuid: z.string(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  m3u8Url: z.string(),
  /** RFC 3339. */
  begin: z.string(),
  update: z.string(),
  state: z.enum(recordStates),
  /** Segments, their seconds and bytes. */
  nn: z.number(),
  duration: z.number(),
  size: z.number(),
  mp4Size: z.number(),
  /** Rows of earlier releases have none. */
  problemKind: z.enum(recordProblemKinds).nullable().default(null),
  problem: z.string(),
  /** Where it was cut out of a live stream, RFC 3339. */
  clip: z.object({ from: z.string(), to: z.string() }).optional(),
  /** RFC 3339; only while in the bin. */
  removedAt: z.string().optional(),
  /** The MP4 in a bucket; none while it was not proven to be there. */
  object: storedObject.optional(),
  /** Only the bucket has it: segments and MP4 are removed from the disk. */
  isAway: z.literal(true).optional(),
  /** Whose record folder has it; rows of earlier releases name none. */
  node: z.string().optional(),
  /** What that node was called when it stored the row, for when it is away. */
  nodeName: z.string().optional(),
});
export type RecordFacts = z.infer<typeof recordFacts>;

export const noProblem = { problemKind: null, problem: '' } as const;

export const recordCollection: CollectionType<RecordFacts> = { name: 'recordings', schema: recordFacts };

/** The nodes that share the table: each has a record folder of its own. */
export interface RecordNodes {
  readonly self: { readonly id: string; readonly name: string };
  isGone(id: string): boolean;
}

/** What the table tells of the nodes beside it. */
export interface RecordCluster extends RecordNodes {
  /** False: this server is the only one. */
  readonly isShared: boolean;
  list(): readonly { readonly id: string; readonly name: string; readonly address: object | null }[];
}

/** True for a row of another node that may be there. */
export function isOfOtherNode({ node }: RecordFacts, nodes: RecordNodes): boolean {
  return node !== undefined && node !== nodes.self.id && !nodes.isGone(node);
}

export function isFinished({ state }: RecordFacts): boolean {
  return state === 'done' || state === 'failed';
}

/** @param node undefined where there is one server alone. */
export function toRow(facts: RecordFacts, node?: FileNode): RecordRow {
  const { m3u8Url: _, removedAt: __, node: ___, nodeName: ____, object, isAway, ...row } = facts;
  const place = isAway ? 'bucket' : object ? 'both' : 'server';
  const shown = { ...row, progress: !isFinished(facts), place, object: object ? addressOf(object) : '' } as const;
  return node ? { ...shown, node } : shown;
}

/** Where the files of a recording are; undefined where there is one server alone. */
export function nodeOf({ node, nodeName }: RecordFacts, cluster: RecordCluster): FileNode | undefined {
  if (!cluster.isShared) return undefined;
  const { id, name } = cluster.self;
  if (node === undefined || node === id) return { id, name, isAway: false };
  const found = cluster.list().find((each) => each.id === node);
  return { id: node, name: found?.name ?? nodeName ?? node, isAway: !found?.address };
}

/** Bytes on the disk of this server. */
export function diskBytes({ size, mp4Size, isAway }: RecordFacts): number {
  return isAway ? 0 : size + mp4Size;
}

const addressOf = ({ place, key }: StoredObject) => `s3://${place.bucket}/${key}`;
