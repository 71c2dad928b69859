// The table of live streams: admits publishers, attaches readers, counts players, and ends silent publishers. The hub knows no protocols,
// sockets or clocks: the host passes `clock` and calls `tick`.

import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { ClientSnapshot, SlateTotals, StreamSnapshot } from '../engine-snapshot.ts';
import { faultReporter, type ReportFault } from '../faults.ts';
import type { EngineLogger } from '../ports.ts';
import { givesWay, type SessionInfo } from '../session-info.ts';
import { outsideSessions } from '../session-scope.ts';
import { randomId } from '../util/random-id.ts';
import type { AudioBridge } from './audio-bridge.ts';
import type { GopCacheLimits } from './gop-cache.ts';
import { type PlayerHandle, type PlayerOwner, PlayerTable } from './player-table.ts';
import { Publication, type PublicationOwner, type PublishResult } from './publication.ts';
import type { PublisherSlot, SilenceLimits } from './publisher-slot.ts';
import { type SlateHost, SlateKeeper } from './slate/slate-keeper.ts';
import { clientOfPublication, clientOfSpare, toStreamSnapshot } from './snapshots.ts';
import { Spares, type SpareTerms } from './spares.ts';
import { type PublicationTerms, Stream, type StreamOptions } from './stream.ts';
import { type StreamEndObserver, StreamObservers, type StreamStartObserver } from './stream-observers.ts';
import type { StreamEndReason, StreamReader } from './stream-reader.ts';
import { type StreamEntry, StreamTable } from './stream-table.ts';

export type { PlayerHandle, PlayerOwner } from './player-table.ts';
export type { Publication, PublicationOwner, PublishResult } from './publication.ts';
export type { Stream } from './stream.ts';

interface HubConfig extends SilenceLimits {
  readonly gopCache: GopCacheLimits;
}

export interface StreamHubOptions {
  readonly config: HubConfig;
  readonly log: EngineLogger;
  /** Called for a bug that ended one session or reader. Default: logs the error. */
  readonly onFault?: ReportFault;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Converts audio for readers that do not support the publisher's codec. Absent: those readers get no audio. */
  readonly bridge?: AudioBridge;
  /** Called when a stream is added. The host must then call `tick` until `isIdle`. */
  readonly onWork?: () => void;
  /** Slates and backup sources for streams whose source is silent or disconnected; undefined: none. */
  readonly slates?: SlateHost;
}

/** A reader's attachment to a stream. */
export interface Subscription {
  readonly stream: Stream;
  /** Stops the packets immediately, without calling `onEnd`. Idempotent. */
  detach(): void;
}

const ownClock: PublicationTerms = { keepsClock: false };
const shuttingDown = { ok: false, reason: 'limit-reached', detail: 'the engine is shutting down' } as const;

export class StreamHub {
  readonly players = new PlayerTable();
  readonly spares: Spares;
  readonly #table: StreamTable;
  readonly #observers: StreamObservers;
  readonly #log: EngineLogger;
  readonly #onFault: ReportFault;
  readonly #clock: () => number;
  readonly #streamOptions: Omit<StreamOptions, 'key' | 'id' | 'now'>;
  readonly #slates: SlateKeeper;
  #receivedBefore = 0;
  #closed = false;

  constructor({ config, log, onFault, clock, bridge, onWork = () => undefined, slates }: StreamHubOptions) {
    this.#log = log;
    this.#onFault = faultReporter({ log, ...(onFault && { onFault }) });
    this.#clock = clock;
    this.#streamOptions = { gopCache: config.gopCache, bridge, log, onFault: this.#onFault };
    this.#observers = new StreamObservers(this.#onFault);
    this.#table = new StreamTable({
      limits: config,
      newStream: (key) => this.#newStream(key),
      hasPlayers: (stream) => this.players.hasSome(stream),
      onWork,
    });
    this.spares = new Spares({
      ...{ limits: config, clock, log, onFault: this.#onFault, newStream: (key) => this.#newStream(key) },
      closeOwner: (publication, reason) => this.#closeOwner(publication, reason),
    });
    this.#slates = new SlateKeeper(slates, log, this.#onFault, {
      find: (key) => this.find(key),
      liveSource: (key) => this.liveSource(key),
      spares: this.spares,
      attach: (key, reader, attachOptions) => this.attach(key, reader, attachOptions),
      clock,
    });
  }

  /**
   * Makes the session the publisher of its stream. Replaces a publisher that was silent for `takeoverSilenceMs`; readers stay attached.
   * Refuses with `stream-busy` while another publisher sends. First call `whenPublishable`, so that an encoder can reconnect before its
   * broken connection was detected.
   */
  publish(
    session: SessionInfo,
    owner: PublicationOwner,
    now: number,
    terms: PublicationTerms = ownClock,
  ): PublishResult {
    if (this.#closed) return shuttingDown;
    const entry = this.#table.open(session);
    const previous = entry.slot.publication;
    if (previous && entry.slot.isSending(now)) {
      const detail = `${toStreamUrl(session)} is already published from ${previous.session.ip}`;
      return { ok: false, reason: 'stream-busy', detail };
    }
    return { ok: true, publication: outsideSessions(() => this.#claim(entry, session, owner, { now, terms })) };
  }

  /**
   * Resolves when it is known whether the stream can be published: immediately if there is no publisher or the publisher sends. Otherwise
   * waits until the publisher sends, ends or can be replaced, for at most `takeoverSilenceMs`.
   */
  whenPublishable(key: StreamKey, now: number): Promise<void> {
    return this.#slotOf(key)?.whenDecided(now) ?? Promise.resolve();
  }

  /** Whether the stream has a publisher that has sent recently. A second publisher would be refused. */
  isSending(key: StreamKey, now: number): boolean {
    return this.#slotOf(key)?.isSending(now) ?? false;
  }

  /**
   * Attaches a reader to a stream, which need not have a publisher yet. `fromGopCache`: replays the packets since the last keyframe before
   * returning.
   */
  attach(key: StreamKey, reader: StreamReader, options: { fromGopCache?: boolean } = {}): Subscription {
    const { stream } = this.#table.open(key);
    outsideSessions(() => stream.addReader(reader, options.fromGopCache ?? false));
    if (!reader.isPatient) this.#slotOf(key)?.publication?.owner.readNow?.();
    const detach = (): void => {
      stream.removeReader(reader);
      this.#table.forgetIfIdle(stream);
    };
    return { stream, detach };
  }

  /** Registers a viewer, which is then counted, listed, and can be kicked. */
  addPlayer(session: SessionInfo, owner: PlayerOwner): PlayerHandle {
    const { stream } = this.#table.open(session);
    return this.players.add(session, {
      stream,
      owner,
      now: this.#clock(),
      onGone: (gone) => this.#table.forgetIfIdle(gone),
    });
  }

  find(key: StreamKey): Stream | undefined {
    return this.#table.find(key)?.stream;
  }

  findById(id: string): Stream | undefined {
    return this.#table.all().find(({ stream }) => stream.id === id)?.stream;
  }

  /**
   * Returns the stream while its source or spare encoder sends, and readers can start. @param copies whether copies of other gateways'
   * streams count.
   */
  liveSource(key: StreamKey, { copies = false } = {}): Stream | undefined {
    const entry = this.#table.find(key);
    const source = copies ? entry?.slot.publication : entry?.slot.own;
    if (!entry || !source || entry.stream.isReplaced) return undefined;
    if (!entry.stream.standIn && (source.isHeld || source.isSilent)) return undefined;
    const { present, keyframe } = entry.stream;
    return keyframe || (present.audio && !present.video) ? entry.stream : undefined;
  }

  /**
   * Makes the session a spare encoder of its stream. `isFirst`: the host authorized the session as the publisher, because the stream had no
   * publisher; the stream then starts with the spare encoder. Refuses if the stream has ended meanwhile.
   */
  publishSpare(session: SessionInfo, owner: PublicationOwner, { priority, isFirst }: SpareTerms): PublishResult {
    if (this.#closed) return shuttingDown;
    const isTaken = this.hasPublisher(session);
    if (!isTaken && !isFirst) {
      return { ok: false, reason: 'stream-busy', detail: `${toStreamUrl(session)} has just ended: connect again` };
    }
    const result = outsideSessions(() => this.spares.publish(session, owner, priority));
    if (!result.ok) return result;
    if (isTaken && isFirst) this.release(session);
    else if (isFirst) outsideSessions(() => this.#beginHeld(session));
    return result;
  }

  /** Reports the end of a session that was authorized as the publisher of a stream, but is no longer its publisher. */
  release(session: SessionInfo): void {
    this.#slates.release(session);
  }

  /** Whether spare encoders are useful: the stream has a publisher that does not give way, or continues without a publisher. */
  hasPublisher(key: StreamKey): boolean {
    const own = this.#slotOf(key)?.own;
    return own !== undefined && !givesWay(own.session);
  }

  isPublished(key: StreamKey): boolean {
    return this.#slotOf(key)?.publication !== undefined;
  }

  /** Milliseconds since the local publisher of the stream started; undefined for a copy and without a publisher. */
  publishedForMs(key: StreamKey, now: number): number | undefined {
    const publication = this.#slotOf(key)?.own;
    return publication && now - publication.startedAtMs;
  }

  /**
   * Calls the observer when a stream gets a local publisher, before the first packet. A publisher that replaces another local publisher
   * does not count. Returns a function that unsubscribes.
   */
  onStreamStart(observer: StreamStartObserver): () => void {
    return this.#observers.onStart(observer);
  }

  /**
   * Calls the observer when the local publisher has ended and the stream does not continue without it. Readers stay attached for the grace
   * time; then the hub calls `onEnd` of the readers.
   */
  onStreamEnd(observer: StreamEndObserver): () => void {
    return this.#observers.onEnd(observer);
  }

  /** Ends a silent publisher in favour of a publisher in another gateway. Returns false if the local publisher still sends. */
  yieldStream(key: StreamKey, now: number): boolean {
    if (this.isSending(key, now)) return false;
    const publication = this.#slotOf(key)?.own;
    if (publication) this.#expel(publication, 'replaced');
    return true;
  }

  /** Requests a keyframe from the publisher and the spare encoders, if the protocol supports such requests. Publishers limit the rate. */
  requestKeyframe(key: StreamKey): void {
    this.#slotOf(key)?.publication?.owner.requestKeyframe?.();
    for (const { publication } of this.spares.of(key)) publication.owner.requestKeyframe?.();
  }

  kick(clientId: string): boolean {
    const player = this.players.find(clientId);
    if (player) {
      this.#closeOwner(player);
      player.close();
      return true;
    }
    const publications = [...this.#table.publications(), ...this.spares.all().map((spare) => spare.publication)];
    const publication = publications.find(({ session }) => session.clientId === clientId);
    if (publication) this.#expel(publication, 'kicked');
    return publication !== undefined;
  }

  /** Whether the stream continues after the end of this session. If so, `SlateHost.onRelease` reports the end later. */
  holds(session: SessionInfo): boolean {
    const publication = this.#slotOf(session)?.publication;
    return publication?.isHeld === true && publication.session.clientId === session.clientId;
  }

  /** Shows the slate without waiting for silence. Returns false without a matching slate. */
  showSlateNow(key: StreamKey): boolean {
    const stream = this.find(key);
    return stream !== undefined && this.#slates.showNow(stream, this.#clock());
  }

  /** Sends due packets of the active slates. After `SlateHost.onShow`, call at the frame rate until the result is false. */
  showSlates(now: number): boolean {
    return this.#slates.show(now);
  }

  /** Whether `tick` has nothing to do, because there are no streams and no waiting readers. */
  get isIdle(): boolean {
    return this.#table.isEmpty;
  }

  /** Applies timeouts, ends grace times and updates per-second statistics. Call a few times per second unless `isIdle`. */
  tick(now: number): void {
    for (const entry of this.#table.all()) {
      try {
        this.#tickEntry(entry, now);
      } catch (error) {
        this.#onFault(error, streamFields(entry.stream.key), 'stream failed and its publisher was disconnected');
        const { publication } = entry.slot;
        if (publication) this.#expel(publication, 'error');
      }
    }
    this.spares.tick(now);
    this.players.tick(now);
  }

  /**
   * Describes an inconsistency of the stream table; undefined if consistent. After a bug, the result decides whether the process may
   * continue.
   */
  findCorruption(): string | undefined {
    const corruption = this.#table.findCorruption();
    if (corruption !== undefined || this.#closed) return corruption;
    const lost = this.players.all().find(({ stream }) => this.find(stream.key) !== stream);
    return lost && `a player of ${toStreamUrl(lost.stream.key)} watches a stream that is not in the stream table`;
  }

  streams(now: number): StreamSnapshot[] {
    const viewers = this.players.byStream(now);
    return this.#table
      .all()
      .filter(({ stream, slot }) => slot.own || viewers.has(stream))
      .map(({ stream, slot: { publication } }) => {
        const slateFile = this.#slates.preparedFile(stream);
        const spares = this.spares.of(stream.key);
        return toStreamSnapshot({ stream, publication, spares, viewers: viewers.get(stream), slateFile, now });
      });
  }

  clients(now: number): ClientSnapshot[] {
    const publishers = this.#connectedPublications().map((publication) => clientOfPublication(publication, now));
    const spares = this.spares.all().map((spare) => clientOfSpare(spare, this.find(spare.stream.key), now));
    return [...publishers, ...spares, ...this.players.all().map((player) => player.snapshot(now))];
  }

  get connectionCount(): number {
    return this.#connectedPublications().length + this.spares.all().length + this.players.size;
  }

  totals(): { receivedBytes: number; sentBytes: number; connections: number } {
    let receivedBytes = this.#receivedBefore + this.spares.receivedBytes;
    for (const { stream } of this.#table.ownPublications()) receivedBytes += stream.stats.received.bytes;
    return { receivedBytes, sentBytes: this.players.sentBytes, connections: this.connectionCount };
  }

  slateTotals(): SlateTotals {
    return this.#slates.totals(this.#clock());
  }

  /** Ends every publisher, reader and player, and refuses all further publishers. Idempotent. */
  close(): void {
    this.#closed = true;
    for (const publication of this.#table.publications()) this.#expel(publication, 'shutdown');
    for (const { stream } of this.#table.all()) stream.endReaders('shutdown');
    for (const player of this.players.all()) {
      this.#closeOwner(player);
      player.close();
    }
    this.#table.clear();
  }

  /**
   * Local publications, including streams that continue without a publisher. A stream that started with a spare encoder is omitted, because
   * the spare encoder is listed separately.
   */
  #connectedPublications(): Publication[] {
    return this.#table.ownPublications().filter(({ isHeld, session }) => !isHeld || !this.spares.has(session));
  }

  #slotOf(key: StreamKey): PublisherSlot | undefined {
    return this.#table.find(key)?.slot;
  }

  #newStream(key: StreamKey): Stream {
    return new Stream({ ...this.#streamOptions, key, id: `vid-${randomId(7)}`, now: this.#clock() });
  }

  #claim(
    entry: StreamEntry,
    session: SessionInfo,
    owner: PublicationOwner,
    { now, terms }: { now: number; terms: PublicationTerms },
  ): Publication {
    const { stream, slot } = entry;
    const previous = slot.publication;
    const publication = new Publication({
      ...{ session, stream, owner, clock: this.#clock },
      onEnd: (ended, reason) => this.#endPublication(entry, ended, reason),
    });
    slot.take(publication);
    if (previous) this.#replace(previous);
    stream.beginPublication(session, now, terms);
    if ((!previous || previous.isCopy) && !publication.isCopy) this.#observers.notifyStart(stream);
    return publication;
  }

  #replace(previous: Publication): void {
    if (!previous.isCopy) this.#receivedBefore += previous.stream.stats.received.bytes;
    previous.end('replaced');
    this.#closeOwner(previous, 'replaced');
  }

  #expel(publication: Publication, reason: StreamEndReason): void {
    publication.end(reason);
    this.#closeOwner(publication, reason);
  }

  /** Catches errors of a session's `close`, because they must not interrupt the current change of the hub. */
  #closeOwner({ session, owner }: Publication | PlayerHandle, reason: StreamEndReason = 'kicked'): void {
    try {
      owner.close(reason);
    } catch (error) {
      const { clientId, type, ip } = session;
      this.#onFault(error, { clientId, type, ip, ...streamFields(session) }, 'session could not be closed cleanly');
    }
  }

  #tickEntry(entry: StreamEntry, now: number): void {
    const owner = entry.slot.publication?.owner;
    entry.stream.tick(now, () => owner?.stats?.().detail ?? {});
    this.#endSilentPublisher(entry, now);
    this.#tickSlate(entry, now);
    entry.slot.tick(now);
    this.#endReadersAfterGrace(entry, now);
  }

  #endPublication(entry: StreamEntry, publication: Publication, reason: StreamEndReason): void {
    const { stream, slot } = entry;
    if (slot.publication !== publication) return;
    if (!this.#closed && this.#slates.holds(publication, reason)) {
      this.#hold(entry, publication);
      return;
    }
    slot.leave(reason, this.#clock());
    if (!publication.isCopy) this.#receivedBefore += stream.stats.received.bytes;
    stream.endPublication();
    slot.releaseWaiting(this.#clock());
    if (!publication.isCopy) {
      this.spares.endAll(stream.key, reason);
      this.#observers.notifyEnd(stream, reason);
    }
    this.#table.forgetIfIdle(stream);
  }

  /** Starts a stream with a spare encoder only, as if the publisher had disconnected. */
  #beginHeld(session: SessionInfo): void {
    const terms = { now: this.#clock(), terms: ownClock };
    this.#claim(this.#table.open(session), session, { close: () => undefined }, terms).end('unpublished');
  }

  /** Continues the stream after its publisher has disconnected. If the silence lasts, the slate keeper puts a substitute on air. */
  #hold(entry: StreamEntry, left: Publication): void {
    const { session, stream } = left;
    const held = new Publication({
      ...{
        session,
        stream,
        owner: { close: () => this.#slates.release(session) },
        clock: this.#clock,
        continues: left,
      },
      onEnd: (ended, reason) => this.#endPublication(entry, ended, reason),
    });
    entry.slot.take(held);
    entry.slot.releaseWaiting(this.#clock());
  }

  #tickSlate({ stream, slot }: StreamEntry, now: number): void {
    const { publication } = slot;
    if (!publication || !this.#slates.tick(publication, now)) return;
    this.#log.info(
      { stream: toStreamUrl(stream.key) },
      'stream ended: its source did not return while the slate was shown',
    );
    this.#slates.stop(stream, now);
    this.#expel(publication, 'kicked');
  }

  #endSilentPublisher({ stream, slot }: StreamEntry, now: number): void {
    const { publication } = slot;
    const limitMs = slot.reachedLimitMs(now);
    if (!publication || limitMs === undefined) return;
    this.#log.warn(
      { stream: toStreamUrl(stream.key), clientId: publication.session.clientId, limitMs },
      'publisher sends no media and is disconnected',
    );
    this.#expel(publication, 'timeout');
  }

  #endReadersAfterGrace({ stream, slot }: StreamEntry, now: number): void {
    const reason = slot.takeEndOfGrace(now);
    if (reason === undefined) return;
    stream.endReaders(reason);
    this.#table.forgetIfIdle(stream);
  }
}

function streamFields({ app, stream }: StreamKey): object {
  return { app, stream };
}
