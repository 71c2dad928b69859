// A bucket: not configured, working, uploading, denying access; and recordings that are being uploaded.
import type { BucketProblem, endpoints, ObjectTransfer, ResponseOf } from '@srs-stack/contract';
import { recordings } from './recordings.ts';
import { revision } from './revision.ts';

type Storage = ResponseOf<typeof endpoints.queryObjectStorage>;
const gigabyte = 1024 ** 3;
const none = { count: 0, bytes: 0 };

export const noBucket: Storage = {
  ...{ on: false, endpoint: '', region: 'us-east-1', bucket: '', pathStyle: true, prefix: '' },
  ...{ local: 'keep', delivery: 'auto', accessKey: '', hasSecretKey: false, delivers: 'server', revision },
  status: {
    ...{ waiting: none, stored: none, onlyThere: none, onlyHere: { count: 8, bytes: 11 * gigabyte }, problem: null },
    removals: { count: 0, problem: null },
  },
};

export const bucket: Storage = {
  ...noBucket,
  ...{ on: true, endpoint: 'https://s3.eu-west-1.amazonaws.com', region: 'eu-west-1', bucket: 'studio-recordings' },
  ...{ pathStyle: false, prefix: 'srs/', accessKey: 'AKIA…7Q2M', hasSecretKey: true, delivers: 'direct' },
  status: {
    ...{
      ...noBucket.status,
      stored: { count: 214, bytes: 391 * gigabyte },
      onlyThere: { count: 180, bytes: 322 * gigabyte },
    },
    onlyHere: none,
  },
};

const denied: BucketProblem = {
  kind: 'denied',
  words: 'cannot write srs/live/livestream/2026-03-08T10-14-05.mp4: AccessDenied, HTTP 403, Access Denied',
  since: '2026-03-08T11:02:00Z',
  retryAt: '2026-03-08T11:09:12Z',
};

export const denying: Storage = {
  ...bucket,
  status: {
    ...bucket.status,
    ...{ waiting: { count: 3, bytes: 4 * gigabyte }, onlyHere: { count: 3, bytes: 4 * gigabyte }, problem: denied },
    removals: {
      count: 2,
      problem: { ...denied, words: 'cannot delete srs/live/camera-2/2026-03-01T10-14-05.mp4: HTTP 403' },
    },
  },
};

export const sending: Storage = {
  ...bucket,
  status: {
    ...bucket.status,
    ...{ waiting: { count: 2, bytes: 2.1 * gigabyte }, onlyHere: { count: 2, bytes: 2.6 * gigabyte } },
  },
};

/** The sixth recording is in both places, the seventh only in the bucket, all others only on this server. */
export const placedRecordings = recordings.map((row, index) => {
  const object = `s3://studio-recordings/srs/${row.app}/${row.stream}/2026-03-05T10-14-05-${row.uuid}.mp4`;
  if (index === 5) return { ...row, place: 'both' as const, object };
  return index === 6 ? { ...row, place: 'bucket' as const, object } : row;
});

const transfer = (index: number, change: Partial<ObjectTransfer> = {}): ObjectTransfer => ({
  ...{ uuid: recordings[index]?.uuid ?? '', state: 'waiting', sentBytes: 0, sizeBytes: 1_415_000_000 },
  ...{ since: '2026-03-08T11:02:00Z', problem: null },
  ...change,
});

export const transfers: ObjectTransfer[] = [
  transfer(2, { state: 'sending', sentBytes: 566_000_000 }),
  transfer(4, { state: 'checking', sentBytes: 1_415_000_000 }),
  transfer(7),
];
export const deniedTransfers: ObjectTransfer[] = [transfer(2, { problem: denied }), transfer(7, { problem: denied })];
