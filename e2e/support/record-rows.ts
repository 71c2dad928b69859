// Waits for recordings, as the API lists them.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints, type RecordRow } from '@srs-stack/contract';
import type { Admin } from './api.ts';
import type { Product } from './product.ts';
import { until } from './until.ts';

export const recordingsOf = async (admin: Admin, stream: string): Promise<RecordRow[]> =>
  (await admin.call(endpoints.queryRecordFiles, {})).filter((row) => row.stream === stream);

/** Waits until the newest recording of the stream has this many segments, and resolves with it. */
export const recording = (admin: Admin, stream: string, segments = 1): Promise<RecordRow> =>
  until(`${segments} segments of ${stream} are recorded`, async () => {
    const row = (await recordingsOf(admin, stream))[0];
    return row && row.nn >= segments ? row : undefined;
  });

export const finished = (admin: Admin, uuid: string): Promise<RecordRow> =>
  until(`recording ${uuid} is finished`, async () => {
    const rows = await admin.call(endpoints.queryRecordFiles, { search: uuid }).catch(() => []);
    return rows.find((row) => row.uuid === uuid && !row.progress);
  });

/** Waits until the publisher of a stream has disconnected and the last segment is complete on the disk. */
export async function lastSegmentOf({ dataDir }: Product, admin: Admin, stream: string): Promise<void> {
  await until(`${stream} is no longer live`, async () => {
    const { streams } = await admin.call(endpoints.queryStreams, {});
    return streams.every((live) => live.stream !== stream);
  });
  await until(`the last segment of ${stream} is on the disk`, async () => {
    const files = await readdir(join(dataDir, 'hls/live'));
    return files.every((name) => !(name.startsWith(`${stream}-`) && name.endsWith('.tmp')));
  });
}
