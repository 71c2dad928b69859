// Creates the delayed streams that pushes need. Pushes with equal stream and delay share a delayed stream.
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import { DelayMemory } from './delay-buffer.ts';
import { DelayedStream, type DelayedStreamOptions } from './delayed-stream.ts';

interface Entry<Extra> {
  readonly stream: DelayedStream;
  readonly extra: Extra;
  users: number;
}

export interface UsedDelay<Extra> {
  readonly stream: DelayedStream;
  readonly extra: Extra;
  /** Call once. The last release ends the delayed stream. */
  release(): void;
}

export class DelayedStreams<Extra> {
  readonly #options: Omit<DelayedStreamOptions, 'key' | 'delayMs' | 'memory'>;
  readonly #memory = new DelayMemory();
  readonly #entries = new Map<string, Entry<Extra>>();
  readonly #onCreate: (stream: DelayedStream, id: string) => Extra;

  /** `onCreate` creates the objects that exist as long as the delayed stream. */
  constructor(
    options: Omit<DelayedStreamOptions, 'key' | 'delayMs' | 'memory'>,
    onCreate: (stream: DelayedStream, id: string) => Extra,
  ) {
    this.#options = options;
    this.#onCreate = onCreate;
  }

  use({ vhost, app, stream: name }: StreamKey, delayMs: number): UsedDelay<Extra> {
    const key = { vhost, app, stream: name };
    const id = delayId(key, delayMs);
    const entry = this.#entries.get(id) ?? this.#create(id, key, delayMs);
    entry.users++;
    return { stream: entry.stream, extra: entry.extra, release: () => this.#release(id, entry) };
  }

  #create(id: string, key: StreamKey, delayMs: number): Entry<Extra> {
    const stream = new DelayedStream({ ...this.#options, key, delayMs, memory: this.#memory });
    const entry = { stream, extra: this.#onCreate(stream, id), users: 0 };
    this.#entries.set(id, entry);
    return entry;
  }

  #release(id: string, entry: Entry<Extra>): void {
    entry.users--;
    if (entry.users > 0) return;
    this.#entries.delete(id);
    entry.stream.close();
  }
}

/** Identifies a stream with its delay. */
export function delayId(key: StreamKey, delayMs: number): string {
  return `${toStreamUrl(key)} ${delayMs}`;
}
