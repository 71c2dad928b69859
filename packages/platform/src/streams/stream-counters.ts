// Counts publishes and plays since the installation, in memory. Counts are written in batches: a thousand viewers who join at once must not
// cause a thousand writes.

import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { DocumentType, Store } from '../store/store.ts';

/** Write interval, milliseconds. A killed process loses at most the counts of this time. */
const writeIntervalMs = 5_000;

const countersDocument: DocumentType<{ publish: number; play: number }> = {
  key: 'stream-counters',
  schema: z.object({ publish: z.number().int(), play: z.number().int() }),
  empty: { publish: 0, play: 0 },
};

export interface StreamCounters {
  /** @param times default 1. */
  count(kind: 'publish' | 'play', times?: number): void;
  current(): { publish: number; play: number };
  /** Writes the counts. Only logs an error of the store, which must not block the stop of the process. */
  close(): Promise<void>;
}

export async function openStreamCounters(store: Store, log: Log): Promise<StreamCounters> {
  const counted = { ...(await store.get(countersDocument)) };
  let timer: NodeJS.Timeout | undefined;
  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    await store.set(countersDocument, counted);
  };
  const report = (error: unknown) => log.error({ err: error }, 'stream counters could not be stored');
  return {
    count(kind, times = 1) {
      counted[kind] += times;
      timer ??= setTimeout(() => {
        write().catch(report);
      }, writeIntervalMs).unref();
    },
    current: () => ({ ...counted }),
    async close() {
      if (timer) await write().catch(report);
    },
  };
}
