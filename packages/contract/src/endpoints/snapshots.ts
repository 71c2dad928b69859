// Snapshots: JPEG images of live streams, taken by API calls or timers.
import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import {
  leastSnapshotSeconds,
  maxGlobLength,
  maxSnapshotSeconds,
  maxSnapshots,
  maxSnapshotTimers,
  maxTakenSnapshots,
  maxTimedSnapshots,
} from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { paths } from '../paths.ts';

const tag = 'Record';
const token = z.string().optional();
const oneStream = z.object({
  token,
  app: z.string().min(1).max(maxGlobLength),
  stream: z.string().min(1).max(maxGlobLength),
});
const name = z.string().regex(/^\d{13}-[mt]\.jpg$/);

export const snapshot = z.object({
  name: z.string(),
  /** RFC 3339. */
  at: z.string(),
  /** Bytes. */
  size: z.number().int(),
  isTimed: z.boolean(),
});
export type Snapshot = z.infer<typeof snapshot>;

export const snapshotTimer = z.object({
  /** Glob pattern of `/{app}/{stream}`. The first timer whose pattern matches a stream applies. */
  glob: z.string().trim().min(1).max(maxGlobLength),
  /** Interval, seconds. */
  seconds: z.number().int().min(leastSnapshotSeconds).max(maxSnapshotSeconds),
  /** Number of timer snapshots kept per stream; older snapshots are deleted. */
  keep: z.number().int().min(1).max(maxTimedSnapshots),
});
export type SnapshotTimer = z.infer<typeof snapshotTimer>;

export const takeSnapshot = defineEndpoint({
  ...paths.takeSnapshot,
  tag,
  summary: 'Saves the newest keyframe of a live stream as a JPEG at most 1920 pixels wide.',
  request: oneStream,
  response: snapshot,
});

export const querySnapshots = defineEndpoint({
  ...paths.querySnapshots,
  tag,
  summary: 'Lists the snapshots of a stream on this server, newest first.',
  request: oneStream,
  response: z.object({ snapshots: z.array(snapshot).max(maxTakenSnapshots + maxTimedSnapshots) }),
});

export const querySnapshotPicture = defineEndpoint({
  ...paths.querySnapshotPicture,
  tag,
  summary: 'Returns one snapshot as a data URL.',
  request: oneStream.extend({ name }),
  response: z.object({
    /** `data:` URL of a JPEG. */
    picture: z.string(),
  }),
});

export const removeSnapshots = defineEndpoint({
  ...paths.removeSnapshots,
  tag,
  summary: 'Deletes one snapshot, or without a name all of the stream.',
  request: oneStream.extend({ name: name.optional() }),
  response: nullData,
});

export const querySnapshotTimers = defineEndpoint({
  ...paths.querySnapshotTimers,
  tag,
  summary: 'Returns the snapshot timers, and the streams with snapshots on this server.',
  request: emptyRequest,
  response: z.object({
    timers: z.array(snapshotTimer),
    streams: z
      .array(
        z.object({
          app: z.string(),
          stream: z.string(),
          count: z.number().int(),
          /** Bytes. */
          size: z.number().int(),
          latest: z.string(),
        }),
      )
      .max(maxSnapshots),
  }),
});

export const updateSnapshotTimers = defineEndpoint({
  ...paths.updateSnapshotTimers,
  tag,
  summary: 'Replaces the snapshot timers: patterns, intervals in seconds, and how many snapshots are kept per stream.',
  request: z.object({ token, timers: z.array(snapshotTimer).max(maxSnapshotTimers) }),
  response: nullData,
});
