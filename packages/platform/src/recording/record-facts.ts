// Stored data of a recording: a row of the store, and `recording.json` and `label.json` in the record folder. Row and files can be rebuilt
// from each other.
import {
  type FileNode,
  type RecordLabel,
  type RecordRow,
  recordLabel,
  recordProblemKinds,
  recordStates,
} from '@srs-stack/contract';
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
  /** Number of segments, their duration in seconds and size in bytes. */
  nn: z.number(),
  duration: z.number(),
  size: z.number(),
  mp4Size: z.number(),
  /** Absent in rows of earlier releases. */
  problemKind: z.enum(recordProblemKinds).nullable().default(null),
  problem: z.string(),
  /** Range of the clip in the live stream, RFC 3339. */
  clip: z.object({ from: z.string(), to: z.string() }).optional(),
  /** Number of this file of a split recording, and the uuid of the first file. Absent in the first file. */
  part: z.object({ number: z.number().int(), first: z.string() }).optional(),
  /** Set by the operator. `label.json` in the folder has the same content. */
  label: recordLabel.optional(),
  /** RFC 3339; present only in the recycle bin. */
  removedAt: z.string().optional(),
  /** The MP4 in a bucket; absent until it is verified. */
  object: storedObject.optional(),
  /** Only the bucket has the recording; segments and MP4 are removed from the disk. */
  isAway: z.literal(true).optional(),
  /** Node that has the record folder; absent in rows of earlier releases. */
  node: z.string().optional(),
  /** Last known name of `node`, shown while the node is down. */
  nodeName: z.string().optional(),
});
export type RecordFacts = z.infer<typeof recordFacts>;

export const noLabel: RecordLabel = { title: '', notes: '', keep: false };

export const noProblem = { problemKind: null, problem: '' } as const;

export const recordCollection: CollectionType<RecordFacts> = { name: 'recordings', schema: recordFacts };

/** The nodes that share the table: each has its own record folder. */
export interface RecordNodes {
  readonly self: { readonly id: string; readonly name: string };
  isGone(id: string): boolean;
}

/** All nodes, as far as the table of recordings needs them. */
export interface RecordCluster extends RecordNodes {
  /** False with a single server. */
  readonly isShared: boolean;
  list(): readonly { readonly id: string; readonly name: string; readonly address: object | null }[];
}

/** True for a row of another node of the cluster. That node may still record. */
export function isOfOtherNode({ node }: RecordFacts, nodes: RecordNodes): boolean {
  return node !== undefined && node !== nodes.self.id && !nodes.isGone(node);
}

/** True for a recording that automatic clean-up must not remove. */
export function isKept({ label }: RecordFacts): boolean {
  return label?.keep === true;
}

export function isFinished({ state }: RecordFacts): boolean {
  return state === 'done' || state === 'failed';
}

/** The row of a recording for the API. @param node undefined with a single server. */
export function toRow(facts: RecordFacts, node?: FileNode): RecordRow {
  const { m3u8Url: _, removedAt: __, node: ___, nodeName: ____, object, isAway, label, ...row } = facts;
  const place = isAway ? 'bucket' : object ? 'both' : 'server';
  const shown = {
    ...row,
    ...noLabel,
    ...label,
    progress: !isFinished(facts),
    place,
    object: object ? addressOf(object) : '',
  } as const;
  return node ? { ...shown, node } : shown;
}

/** Undefined with a single server. */
export function nodeOf({ node, nodeName }: RecordFacts, cluster: RecordCluster): FileNode | undefined {
  if (!cluster.isShared) return undefined;
  const { id, name } = cluster.self;
  if (node === undefined || node === id) return { id, name, isAway: false };
  const found = cluster.list().find((each) => each.id === node);
  return { id: node, name: found?.name ?? nodeName ?? node, isAway: !found?.address };
}

/** Disk usage on the node with the recording, bytes. */
export function diskBytes({ size, mp4Size, isAway }: RecordFacts): number {
  return isAway ? 0 : size + mp4Size;
}

const addressOf = ({ place, key }: StoredObject) => `s3://${place.bucket}/${key}`;
