// FFmpeg processes of the product: their status rows, CPU time and memory.
import { setTimeout as delay } from 'node:timers/promises';
import { apiSecret } from '../conf/product.ts';
import { type ProcessFigures, processFigures } from './process-figures.ts';
import { postCall } from './product-api.ts';

const pollMs = 25;
/** Timeout of every wait, milliseconds: longer than any pause between two restarts of a worker. */
const giveUpMs = 60_000;
const prefix = '/terraform/v1/ffmpeg';

/** The used fields of a row of the product's FFmpeg status. */
export interface WorkerRow {
  readonly platform?: string;
  readonly state: string;
  readonly pid: number;
  readonly restarts: number;
  readonly frame?: { readonly log: string };
}

export const callFfmpeg = (path: string, body: object): Promise<unknown> =>
  postCall(`${prefix}/${path}`, body, apiSecret);

export async function workerRows(kind: 'camera' | 'forward' | 'vlive' | 'transcode'): Promise<WorkerRow[]> {
  if (kind === 'transcode') return [(await callFfmpeg('transcode/task', {})) as WorkerRow];
  return (await callFfmpeg(`${kind}/streams`, {})) as WorkerRow[];
}

/**
 * Polls until `isMet` returns true. Resolves with the waiting time in milliseconds. @throws after a minute, with the
 * name of the condition.
 */
export async function untilMet(what: string, isMet: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  while (!(await isMet())) {
    if (performance.now() - startedAt > giveUpMs) throw new Error(`timed out while waiting until ${what}`);
    await delay(pollMs);
  }
  return performance.now() - startedAt;
}

/** Polls an HTTP-FLV address until it delivers the first bytes. Resolves with the waiting time in milliseconds. */
export async function untilFirstByte(url: string): Promise<number> {
  return untilMet(`${url} delivers`, async () => {
    const response = await fetch(url).catch(() => undefined);
    const reader = response?.ok ? response.body?.getReader() : undefined;
    if (!reader) {
      await response?.body?.cancel();
      return false;
    }
    const { value } = await reader.read();
    await reader.cancel();
    return (value?.length ?? 0) > 0;
  });
}

/** Sum of CPU seconds and memory over processes. */
export function sumOf(pids: readonly number[]): Pick<ProcessFigures, 'cpu' | 'rssBytes'> {
  const all = pids.map(processFigures);
  return {
    cpu: all.reduce((sum, { cpu }) => sum + cpu, 0),
    rssBytes: all.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
  };
}

/** Seconds of media that FFmpeg reports in its status line. */
export function mediaSeconds(row: WorkerRow | undefined): number {
  const [, hours = '', minutes = '', seconds = ''] = /time=(\d+):(\d+):([\d.]+)/.exec(row?.frame?.log ?? '') ?? [];
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}
