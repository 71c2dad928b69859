// Spare encoders: further publishers of a stream, ordered by priority. Each spare encoder publishes a separate, unlisted stream without
// outputs. The slate keeper puts one spare encoder on air while the main publisher is unavailable. Invariant: a stream with spare encoders
// has a publication.
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { ReportFault } from '../faults.ts';
import type { EngineLogger } from '../ports.ts';
import { type SessionInfo, sessionFields } from '../session-info.ts';
import { Publication, type PublicationOwner, type PublishResult } from './publication.ts';
import { PublisherSlot, type SilenceLimits } from './publisher-slot.ts';
import type { Stream } from './stream.ts';
import type { StreamEndReason, StreamReader } from './stream-reader.ts';

/** Maximum number of spare encoders per stream. Each sends the full bitrate, although at most one is on air. */
const maxSpares = 3;
/** A spare encoder that has announced no video for this media time counts as audio only, milliseconds. */
const audioOnlyAfterMs = 1_000;

export interface Spare {
  /** 2 or more; the lowest number is preferred. */
  readonly priority: number;
  readonly stream: Stream;
  readonly publication: Publication;
}

export interface SpareTerms {
  readonly priority: number;
  /** True if the host authorized this encoder as the publisher, because the stream had no publisher. */
  readonly isFirst: boolean;
}

interface SpareEntry {
  readonly priority: number;
  readonly stream: Stream;
  readonly slot: PublisherSlot;
}

export interface SparesOptions {
  readonly newStream: (key: StreamKey) => Stream;
  readonly limits: SilenceLimits;
  readonly clock: () => number;
  readonly log: EngineLogger;
  readonly onFault: ReportFault;
  readonly closeOwner: (publication: Publication, reason: StreamEndReason) => void;
}

export class Spares {
  readonly #options: SparesOptions;
  readonly #table = new Map<string, readonly SpareEntry[]>();
  #receivedBefore = 0;

  constructor(options: SparesOptions) {
    this.#options = options;
  }

  of(key: StreamKey): readonly Spare[] {
    if (this.#table.size === 0) return [];
    return (this.#table.get(toStreamUrl(key)) ?? []).flatMap(toSpare);
  }

  all(): Spare[] {
    return [...this.#table.values()].flat().flatMap(toSpare);
  }

  has({ clientId, ...key }: SessionInfo): boolean {
    return this.of(key).some(({ publication: { session } }) => session.clientId === clientId);
  }

  /** The stream of the preferred spare encoder with media; readers can start with that stream. */
  live(key: StreamKey): Stream | undefined {
    return this.of(key).find(({ publication }) => isLive(publication))?.stream;
  }

  /** Like `StreamHub.whenPublishable`, for a spare encoder with this priority. */
  whenPublishable(key: StreamKey, priority: number, now: number): Promise<void> {
    return this.#find(key, priority)?.slot.whenDecided(now) ?? Promise.resolve();
  }

  /** Whether a spare encoder with this priority already sends. */
  isSending(key: StreamKey, priority: number, now: number): boolean {
    return this.#find(key, priority)?.slot.isSending(now) ?? false;
  }

  publish(session: SessionInfo, owner: PublicationOwner, priority: number): PublishResult {
    const { clock } = this.#options;
    const url = toStreamUrl(session);
    const known = this.#find(session, priority);
    if (known?.slot.isSending(clock())) return { ok: false, reason: 'stream-busy', detail: busySpare(url, priority) };
    const entry = known ?? this.#add(session, priority);
    if (!entry) {
      const detail = `${url} already has ${maxSpares} spare encoders: disconnect one`;
      return { ok: false, reason: 'limit-reached', detail };
    }
    return { ok: true, publication: this.#claim(entry, session, owner) };
  }

  /** Attaches a reader to the stream of a spare encoder, from the last keyframe on. Undefined if the stream is of no spare encoder. */
  attach(stream: Stream, reader: StreamReader): { detach(): void } | undefined {
    const spare = this.all().find((each) => each.stream === stream);
    if (!spare) return undefined;
    stream.addReader(reader, true);
    spare.publication.owner.readNow?.();
    return { detach: () => stream.removeReader(reader) };
  }

  tick(now: number): void {
    for (const { stream, slot } of [...this.#table.values()].flat()) {
      const { publication } = slot;
      if (!publication) continue;
      try {
        stream.tick(now, () => publication.owner.stats?.().detail ?? {});
        if (stream.announcesVideo && !stream.keyframe) publication.owner.requestKeyframe?.();
        const limitMs = slot.reachedLimitMs(now);
        if (limitMs !== undefined) this.#endSilent(publication, limitMs);
        slot.tick(now);
      } catch (error) {
        this.#options.onFault(error, sessionFields(publication.session), 'spare encoder failed and was disconnected');
        this.expel(publication, 'error');
      }
    }
  }

  expel(publication: Publication, reason: StreamEndReason): void {
    publication.end(reason);
    this.#options.closeOwner(publication, reason);
  }

  endAll(key: StreamKey, reason: StreamEndReason): void {
    for (const { publication } of this.of(key)) this.expel(publication, reason);
  }

  get receivedBytes(): number {
    return this.all().reduce((sum, { stream }) => sum + stream.stats.received.bytes, this.#receivedBefore);
  }

  #find(key: StreamKey, priority: number): SpareEntry | undefined {
    return this.#table.get(toStreamUrl(key))?.find((each) => each.priority === priority);
  }

  #add({ vhost, app, stream }: StreamKey, priority: number): SpareEntry | undefined {
    const key = { vhost, app, stream };
    const others = this.#table.get(toStreamUrl(key)) ?? [];
    if (others.length >= maxSpares) return undefined;
    const { newStream, limits } = this.#options;
    const entry = { priority, stream: newStream(key), slot: new PublisherSlot(limits) };
    const inOrder = [...others, entry].sort((a, b) => a.priority - b.priority);
    this.#table.set(toStreamUrl(key), inOrder);
    return entry;
  }

  #claim(entry: SpareEntry, session: SessionInfo, owner: PublicationOwner): Publication {
    const { clock, closeOwner } = this.#options;
    const { stream, slot } = entry;
    const previous = slot.publication;
    const onEnd = (ended: Publication, reason: StreamEndReason): void => this.#end(entry, ended, reason);
    const publication = new Publication({ session, stream, owner, clock, onEnd });
    slot.take(publication);
    if (previous) {
      this.#receivedBefore += stream.stats.received.bytes;
      previous.end('replaced');
      closeOwner(previous, 'replaced');
    }
    stream.beginPublication(session, clock());
    return publication;
  }

  #end(entry: SpareEntry, ended: Publication, reason: StreamEndReason): void {
    const { stream, slot } = entry;
    if (slot.publication !== ended) return;
    const now = this.#options.clock();
    slot.leave(reason, now);
    slot.releaseWaiting(now);
    this.#receivedBefore += stream.stats.received.bytes;
    const url = toStreamUrl(stream.key);
    const others = (this.#table.get(url) ?? []).filter((each) => each !== entry);
    if (others.length > 0) this.#table.set(url, others);
    else this.#table.delete(url);
    stream.endReaders(reason);
    stream.endPublication();
  }

  #endSilent(publication: Publication, limitMs: number): void {
    this.#options.log.warn(
      { ...sessionFields(publication.session), limitMs },
      'spare encoder sends no media and is disconnected',
    );
    this.expel(publication, 'timeout');
  }
}

export function busySpare(url: string, priority: number): string {
  return `${url} already has a spare encoder with priority ${priority}: give this one another priority`;
}

function toSpare({ priority, stream, slot: { publication } }: SpareEntry): Spare[] {
  return publication ? [{ priority, stream, publication }] : [];
}

function isLive({ stream, isSilent }: Publication): boolean {
  if (isSilent) return false;
  return stream.keyframe !== undefined || (!stream.announcesVideo && stream.mediaMs >= audioOnlyAfterMs);
}
