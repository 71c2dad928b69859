// Waits until a forward, virtual live stream or transcode has a given state, and finds FFmpeg processes.

import { readdirSync, readFileSync } from 'node:fs';
import { endpoints, type ForwardRow, type TranscodeTask, type VliveRow, type WorkerState } from '@srs-stack/contract';
import { isAlive } from '../../bench/lib/process-figures.ts';
import type { Admin } from './api.ts';
import { until } from './until.ts';

export async function forwardRow(admin: Admin, platform: string): Promise<ForwardRow> {
  const rows = await admin.call(endpoints.forwardStreams, {});
  return rows.find((row) => row.platform === platform)!;
}

export async function vliveRow(admin: Admin, platform: string): Promise<VliveRow> {
  const rows = await admin.call(endpoints.vliveStreams, {});
  return rows.find((row) => row.platform === platform)!;
}

interface Stateful {
  readonly state: WorkerState;
  readonly reason: string;
  readonly reasonDetail: string;
}

/** Waits until the row has the state, and resolves with the row. The timeout message contains the last error of the row's process. */
export async function untilState<Row extends Stateful>(state: WorkerState, ask: () => Promise<Row>): Promise<Row> {
  let last: Row | undefined;
  try {
    return await until(`the state is ${state}`, async () => {
      last = await ask();
      return last.state === state ? last : undefined;
    });
  } catch (error) {
    throw new Error(`still ${last?.state}: ${last?.reason}, ${last?.reasonDetail}`, { cause: error });
  }
}

export const transcodeTask = (admin: Admin): Promise<TranscodeTask> => admin.call(endpoints.queryTranscodeTask, {});

/**
 * Process ids of FFmpeg processes whose command line contains the text. The text should contain a port, because other
 * tests run in parallel.
 */
export function ffmpegsWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const command = read(`/proc/${pid}/cmdline`);
      return (
        command.startsWith('ffmpeg\0') &&
        command.includes('-progress') &&
        command.includes(text) &&
        isAlive(Number(pid))
      );
    })
    .map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
