// How often streams were published and played since the installation. Counted in memory and written together, so
// that a thousand viewers who come at once do not mean a thousand writes.

import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { DocumentType, Store } from '../store/store.ts';

/** Between two writes, milliseconds; that many counts are lost when the process is killed. */
const writeIntervalMs = 5_000;

const countersDocument: DocumentType<{ publish: number; play: number }> = {
  key: 'stream-counters',
  schema: z.object({ publish: z.number().int(), play: z.number().int() }),
  empty: { publish: 0, play: 0 },
};

export interface StreamCounters {
  /** `times`: 1 when left out. */
  count(kind: 'publish' | 'play', times?: number): void;
  current(): { publish: number; play: number };
  /** Writes what is counted. */
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
  return {
    count(kind, times = 1) {
      counted[kind] += times;
      timer ??= setTimeout(() => {
        write().catch((error) => log.error({ err: error }, 'stream counters not stored'));
      }, writeIntervalMs).unref();
    },
    current: () => ({ ...counted }),
    async close() {
      if (timer) await write();
    },
  };
}
