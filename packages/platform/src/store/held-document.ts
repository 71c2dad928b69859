// A document that a room keeps in memory: read once, written only over what was read, and read again when another control
// plane of the same store has changed it. While the store is away the last known value stays.
import { AppError } from '@srs-stack/contract';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { absent, type DocumentType, type Store, type Versioned } from './store.ts';

export interface HeldDocument<T> {
  current(): T;
  /**
   * `before` is the value of `current()` that `next` was made from. Throws `settingsChanged` when another control plane has
   * stored something since; what it stored is then held.
   */
  replace(before: T, next: T): Promise<void>;
  /** The first value of a document that was never stored; when another control plane was faster, its value is held. */
  saveFirst(first: T): Promise<void>;
  /** Called with what another control plane has stored, after it is held. */
  onChange(listener: (value: T) => Promise<void>): void;
}

export async function holdDocument<T>(store: Store, type: DocumentType<T>): Promise<HeldDocument<T>> {
  const oneAtATime = createOneAtATime();
  const listeners: ((value: T) => Promise<void>)[] = [];
  let held: Versioned<T> | undefined;
  const now = () => held ?? { value: type.empty, revision: absent };

  /** True when something else is held now. */
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
  // Before the first read: nothing that is stored meanwhile is missed.
  store.subscribe(async (change) => {
    const isThis = change.kind === 'document' && change.key === type.key && change.revision !== held?.revision;
    if ((isThis || change.kind === 'anything') && (await readAgain())) await tell();
  });
  await readAgain();

  const replace = async (before: T, next: T) => {
    try {
      await oneAtATime(async () => {
        const { value, revision } = now();
        // Read again while the caller was at work.
        if (value !== before) throw new AppError('settingsChanged');
        held = { value: next, revision: await store.set(type, next, revision) };
      });
    } catch (error) {
      // Who could not save puts into effect again what is held.
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
