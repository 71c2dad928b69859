// A document cached in memory: read once, updated by compare-and-set, and re-read when another control plane of the same store changed it.
// While the store is unavailable, the last value is used.
import { AppError } from '@srs-stack/contract';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { absent, type DocumentType, type Store, type Versioned } from './store.ts';

export interface HeldDocument<T> {
  current(): T;
  /**
   * Stores `next` if the stored value is still `before`, the result of `current()` from which `next` was made. Throws `settingsChanged`
   * when another control plane has stored a value since, and caches that value.
   */
  replace(before: T, next: T): Promise<void>;
  /** Stores the first value of a document; if another control plane stored one first, that value is cached. */
  saveFirst(first: T): Promise<void>;
  /** Called with the value of another control plane, after it is cached. */
  onChange(listener: (value: T) => Promise<void>): void;
}

export async function holdDocument<T>(store: Store, type: DocumentType<T>): Promise<HeldDocument<T>> {
  const oneAtATime = createOneAtATime();
  const listeners: ((value: T) => Promise<void>)[] = [];
  let held: Versioned<T> | undefined;
  const now = () => held ?? { value: type.empty, revision: absent };

  /** Resolves with true when the cached value changed. */
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
  // Subscribes before the first read, so that no change is missed.
  store.subscribe(async (change) => {
    const isThis = change.kind === 'document' && change.key === type.key && change.revision !== held?.revision;
    if ((isThis || change.kind === 'anything') && (await readAgain())) await tell();
  });
  await readAgain();

  const replace = async (before: T, next: T) => {
    try {
      await oneAtATime(async () => {
        const { value, revision } = now();
        // The cached value was replaced while the caller was working.
        if (value !== before) throw new AppError('settingsChanged');
        held = { value: next, revision: await store.set(type, next, revision) };
      });
    } catch (error) {
      // Reads the stored value again and notifies the listeners, so that they apply it instead of the value that was not saved.
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
