// Number of publishes and plays since the installation. Counted in memory and written in batches, so that a burst of a thousand viewers
// does not cause a thousand writes.

import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { DocumentType, Store } from '../store/store.ts';

/** Write interval, milliseconds: a kill loses at most these counts. */
const writeIntervalMs = 5_000;

const countersDocument: DocumentType<{ publish: number; play: number }> = {
  key: 'stream-counters',
  schema: z.object({ publish: z.number().int(), play: z.number().int() }),
  empty: { publish: 0, play: 0 },
};

export interface StreamCounters {
  /** Counts one publish or play, or several; `times` defaults to 1. */
  count(kind: 'publish' | 'play', times?: number): void;
  current(): { publish: number; play: number };
  /** Writes the counts. A store failure is only logged, because it must not block the stop of the process. */
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
