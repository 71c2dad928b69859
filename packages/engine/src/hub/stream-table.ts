// The streams of the hub by URL. A stream is in the table while it has a publisher, readers or players.
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { Publication } from './publication.ts';
import { PublisherSlot, type SilenceLimits } from './publisher-slot.ts';
import type { Stream } from './stream.ts';

export interface StreamEntry {
  readonly stream: Stream;
  readonly slot: PublisherSlot;
}

export interface StreamTableHost {
  readonly limits: SilenceLimits;
  readonly newStream: (key: StreamKey) => Stream;
  readonly hasPlayers: (stream: Stream) => boolean;
  readonly onWork: () => void;
}

export class StreamTable {
  readonly #entries = new Map<string, StreamEntry>();
  readonly #host: StreamTableHost;

  constructor(host: StreamTableHost) {
    this.#host = host;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** A copy of the entries, which later changes of the table do not affect. */
  all(): StreamEntry[] {
    return [...this.#entries.values()];
  }

  find(key: StreamKey): StreamEntry | undefined {
    return this.#entries.get(toStreamUrl(key));
  }

  open({ vhost, app, stream }: StreamKey): StreamEntry {
    const url = toStreamUrl({ vhost, app, stream });
    const known = this.#entries.get(url);
    if (known) return known;
    const entry = { stream: this.#host.newStream({ vhost, app, stream }), slot: new PublisherSlot(this.#host.limits) };
    this.#entries.set(url, entry);
    this.#host.onWork();
    return entry;
  }

  forgetIfIdle(stream: Stream): void {
    const url = toStreamUrl(stream.key);
    const entry = this.#entries.get(url);
    if (entry?.stream !== stream || entry.slot.publication || stream.readerCount > 0) return;
    if (!this.#host.hasPlayers(stream)) this.#entries.delete(url);
  }

  clear(): void {
    this.#entries.clear();
  }

  publications(): Publication[] {
    return this.all().flatMap(({ slot }) => slot.publication ?? []);
  }

  ownPublications(): Publication[] {
    return this.all().flatMap(({ slot }) => slot.own ?? []);
  }

  findCorruption(): string | undefined {
    for (const [url, { stream, slot }] of this.#entries) {
      const { publication } = slot;
      if (url !== toStreamUrl(stream.key)) return `the stream table lists ${toStreamUrl(stream.key)} as ${url}`;
      if (publication && !publication.isOpen)
        return `the publisher of ${url} has ended but is still in the stream table`;
      if (stream.publisher !== publication?.session)
        return `${url} has another publisher than the one in the stream table`;
    }
    return undefined;
  }
}
