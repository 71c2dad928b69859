// Callback settings and the last exchange. Encrypted at rest, because targets and opaque texts contain secrets.
import { AppError } from '@srs-stack/contract';
import { z } from 'zod';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { holdDocument } from '../store/held-document.ts';
import type { DocumentType, Store } from '../store/store.ts';

export interface CallbackSettings {
  readonly all: boolean;
  readonly target: string;
  readonly opaque: string;
  readonly host: string;
  readonly revision: number;
}

/** Request and response of the newest delivery except tests. */
export interface LastExchange {
  readonly req: string;
  /** Response text of status 200; empty for another status. */
  readonly res: string;
}

const settingsDocument: DocumentType<CallbackSettings> = {
  key: 'callbacks',
  schema: z.object({
    all: z.boolean(),
    target: z.string(),
    opaque: z.string(),
    host: z.string(),
    revision: z.number().int(),
  }),
  empty: { all: false, target: '', opaque: '', host: '', revision: 0 },
  secret: true,
};

const lastExchangeDocument: DocumentType<LastExchange> = {
  key: 'callbacks-last',
  schema: z.object({ req: z.string(), res: z.string() }),
  empty: { req: '', res: '' },
  secret: true,
};

export interface CallbackSettingsStore {
  current(): CallbackSettings;
  /** Throws `settingsChanged` when `revision` is given and differs from the stored revision. */
  save(next: Omit<CallbackSettings, 'revision'>, revision: number | undefined): Promise<void>;
  last(): LastExchange;
  remember(exchange: LastExchange): Promise<void>;
}

export async function openCallbackSettings(store: Store): Promise<CallbackSettingsStore> {
  const settings = await holdDocument(store, settingsDocument);
  let last = await store.get(lastExchangeDocument);
  const oneAtATime = createOneAtATime();
  return {
    current: () => settings.current(),
    save: (next, revision) =>
      oneAtATime(async () => {
        const before = settings.current();
        if (revision !== undefined && revision !== before.revision) throw new AppError('settingsChanged');
        await settings.replace(before, { ...next, revision: before.revision + 1 });
      }),
    last: () => last,
    async remember(exchange) {
      last = exchange;
      await store.set(lastExchangeDocument, last);
    },
  };
}
