// A document cached in memory: read once, written by compare-and-set, and read again when another control plane changes the store. While
// the store is unavailable, the cached value stays in use.
import { AppError } from '@srs-stack/contract';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { absent, type DocumentType, type Store, type Versioned } from './store.ts';

export interface HeldDocument<T> {
  current(): T;
  /**
   * Replaces the value `before`, which the caller got from `current()`. Throws `settingsChanged` if the value changed meanwhile, here or in
   * another control plane, and then caches the stored value.
   */
  replace(before: T, next: T): Promise<void>;
  /** Stores the first value of a document. If another control plane was faster, its value is cached. */
  saveFirst(first: T): Promise<void>;
  /** Called after a change by another control plane, and after a failed `replace`. */
  onChange(listener: (value: T) => Promise<void>): void;
}

export async function holdDocument<T>(store: Store, type: DocumentType<T>): Promise<HeldDocument<T>> {
  const oneAtATime = createOneAtATime();
  const listeners: ((value: T) => Promise<void>)[] = [];
  let held: Versioned<T> | undefined;
  const now = () => held ?? { value: type.empty, revision: absent };

  const readAgain = () =>
    oneAtATime(async () => {
      const found = await store.read(type);
      const isOther = held !== undefined && found.revision !== held.revision;
      if (held === undefined || isOther) held = found;
      return isOther;
    });
  const tell = async () => {
    await Promise.all(listeners.map((listener) => listener(now().value)));
  };
  // Subscribes before the first read, because a change in between would be missed.
  store.subscribe(async (change) => {
    const isThis = change.kind === 'document' && change.key === type.key && change.revision !== held?.revision;
    if ((isThis || change.kind === 'anything') && (await readAgain())) await tell();
  });
  await readAgain();

  const replace = async (before: T, next: T) => {
    try {
      await oneAtATime(async () => {
        const { value, revision } = now();
        // The cached value changed since the caller read `before`.
        if (value !== before) throw new AppError('settingsChanged');
        held = { value: next, revision: await store.set(type, next, revision) };
      });
    } catch (error) {
      // Listeners must apply the stored value again, because saving failed.
      await readAgain().catch(() => undefined);
      tell().catch(() => undefined);
      throw error;
    }
  };
  return {
    current: () => now().value,
    replace,
    async saveFirst(first) {
      await replace(now().value, first).catch((error) => {
        if (!(error instanceof AppError && error.errorName === 'settingsChanged')) throw error;
      });
    },
    onChange(listener) {
      listeners.push(listener);
    },
  };
}
