// One channel: publishes its stream like any publisher. Sends files at the pace of a clock, or a live stream instead.
import { FlvDemuxer } from '@srs-stack/media/containers/flv/flv-demuxer.ts';
import { tagType } from '@srs-stack/media/containers/flv/flv-format.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { ChannelEntry, ChannelOrder } from '@srs-stack/process/channel-orders.ts';
import type { Stream } from '../../hub/stream.ts';
import type { Publication } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import type { EngineLogger } from '../../ports.ts';
import { type SessionInfo, sessionFields } from '../../session-info.ts';
import { randomId } from '../../util/random-id.ts';
import type { CopySource } from '../gate/play-gate.ts';
import { admitPublisher, type PublishGate } from '../gate/publish-gate.ts';
import { ChannelFeed, type ChannelTag, type Moment } from './channel-feed.ts';
import type { ChannelEvent, ChannelSnapshot } from './channel-status.ts';
import { LiveCover } from './live-cover.ts';
import { LivePlan } from './live-plan.ts';
import type { Part } from './next-part.ts';

/** Delay before the next attempt to publish, milliseconds. Repeated refusals double the delay. */
const retryMs = 1_000;
/** Maximum delay after repeated refusals, milliseconds. */
const maxRetryMs = 4_000;
/** Maximum number of kept events. A restarted control plane reads the events that it has missed. */
const maxEvents = 100;

export interface ChannelDeps {
  readonly gate: PublishGate;
  readonly log: EngineLogger;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
  /** Streams of other gateways and on-demand pulls. */
  readonly remote: CopySource;
  /** False for a live stream that would cause a loop. */
  readonly mayShow: (live: string) => boolean;
}

interface OnAir {
  readonly publication: Publication;
  demuxer: FlvDemuxer;
  readonly feed: ChannelFeed;
  /** Monotonic time of 0 on the channel's clock, milliseconds. */
  readonly zeroMs: number;
}

export class Channel {
  readonly #deps: ChannelDeps;
  #order: ChannelOrder;
  #onAir: OnAir | undefined;
  /** The last sent tag; undefined at the start and after a live stream. */
  #tag: ChannelTag | undefined;
  readonly #plan = new LivePlan();
  readonly #cover: LiveCover;
  #shown: string | undefined;
  #events: ChannelEvent[] = [];
  #eventCount = 0;
  #reason = 'starting';
  #isAdmitting = false;
  #nextAttemptMs = 0;
  #refusals = 0;
  #isClosed = false;

  constructor(order: ChannelOrder, deps: ChannelDeps) {
    this.#order = order;
    this.#deps = deps;
    const { gate, log, clock, remote, mayShow } = deps;
    this.#cover = new LiveCover({
      ...{ hub: gate.hub, remote, clock, mayShow },
      onBegin: (live, source, first) => this.#beginLive(live, source, first),
      onPacket: (packet) => this.#push(packet),
      onEnd: () => this.#endLive(),
      onError: (error, live) =>
        log.warn({ err: error, channel: order.id, live }, 'channel could not pull a live stream from another gateway'),
    });
    this.#plan.change(order, clock());
  }

  get streamUrl(): string {
    return toStreamUrl(this.#order);
  }

  get isCovered(): boolean {
    return this.#cover.onAir !== undefined;
  }

  /** Applies an order. Returns false for an order for another stream; the caller must then open another channel. */
  change(order: ChannelOrder): boolean {
    if (toStreamUrl(order) !== toStreamUrl(this.#order)) return false;
    this.#order = order;
    const { clock } = this.#deps;
    this.#plan.change(order, clock());
    if (this.#onAir) this.#onAir.feed.change(order, this.#moment(this.#onAir, clock()));
    return true;
  }

  /** Publishes the stream if necessary, and sends due tags. Call at the frame rate. */
  tick(now: number): void {
    if (this.#onAir) this.#play(this.#onAir, now);
    else if (!this.#isAdmitting && !this.#isClosed && now >= this.#nextAttemptMs) this.#publish(now);
  }

  snapshot(): ChannelSnapshot {
    return {
      id: this.#order.id,
      streamUrl: toStreamUrl(this.#order),
      state: this.#onAir ? 'on-air' : 'waiting',
      reason: this.#onAir ? '' : this.#reason,
      live: this.#cover.onAir ?? '',
      awaited: this.#awaited(),
      overTakeover: this.#plan.overTakeover,
      events: [...this.#events],
    };
  }

  close(reason: StreamEndReason = 'unpublished'): void {
    this.#isClosed = true;
    this.#end(reason);
  }

  /** Ends the stream after a bug; `tick` publishes it again after a delay. */
  fail(): void {
    this.#onEnded('error');
  }

  #play(onAir: OnAir, now: number): void {
    const moment = this.#moment(onAir, now);
    this.#showLive(now);
    if (this.isCovered) return;
    for (const tag of onAir.feed.take(moment.atMs)) {
      const { entry } = tag.part;
      if (entry?.live && !this.#mayFill(onAir, entry, moment)) break;
      this.#send(onAir, tag);
    }
    if (!this.isCovered) onAir.feed.fill(moment);
  }

  #send(onAir: OnAir, tag: ChannelTag): void {
    const { type, body, atMs, timeMs, part } = tag;
    if (isNew(tag, this.#tag) && !part.entry?.live) this.#note('started', part, '', timeMs);
    this.#tag = tag;
    onAir.feed.noteSent(tag);
    onAir.publication.countReceived(body.length);
    readTag(onAir, type, body, atMs);
  }

  /** Whether the filler plays during a scheduled live stream: while that stream is about to start, or when no file is playable. */
  #mayFill({ feed }: OnAir, entry: ChannelEntry, moment: Moment): boolean {
    this.#plan.open(entry, moment.wallMs);
    this.#showLive(this.#deps.clock());
    if (this.isCovered) return false;
    if (this.#plan.awaits(this.#cover.isComing(entry.live), moment.wallMs)) return true;
    if (!this.#plan.isLate) this.#note('absent', { entry, file: '' }, entry.live);
    this.#plan.noteLate();
    if (!feed.hasFiles) return true;
    feed.skipTo(entry, moment);
    return false;
  }

  #showLive(now: number): void {
    this.#cover.tick(this.#plan.wanted(this.#cover.onAir, now, this.#deps.wallClock()), now);
  }

  #awaited(): string {
    const { clock, wallClock } = this.#deps;
    const [first] = this.#onAir ? this.#plan.wanted(this.#cover.onAir, clock(), wallClock()) : [];
    return first && first.live !== this.#cover.onAir ? first.live : '';
  }

  /** Puts a live stream on air, starting with `first`. Also called when the live stream gets another publisher. */
  #beginLive(live: string, { video, audio, metadata }: Stream, first: Packet): void {
    const onAir = this.#onAir;
    if (!onAir) return;
    const tracks = [video, audio].filter((track) => track !== undefined);
    onAir.publication.changeSource({ tracks, metadata }, first);
    if (this.#shown === live) return;
    const entry = this.#plan.itemOf(live);
    if (this.#shown === undefined) this.#leaveFiles(onAir, entry);
    this.#shown = live;
    this.#note('live', { entry, file: '' }, live);
  }

  /**
   * Stops the files and sets where they resume. After a takeover: the entry that is due. After a scheduled live stream: the next entry, or
   * the file that a late live stream has interrupted.
   */
  #leaveFiles(onAir: OnAir, entry: ChannelEntry | undefined): void {
    const moment = this.#moment(onAir, this.#deps.clock());
    if (entry && this.#plan.isLate) onAir.feed.interrupt(moment);
    else onAir.feed.skipTo(entry, moment);
    this.#tag = undefined;
  }

  #push(packet: Packet): void {
    this.#onAir?.publication.countReceived(packet.payload.length);
    this.#onAir?.publication.push(packet);
  }

  #endLive(): void {
    const onAir = this.#onAir;
    this.#shown = undefined;
    if (!onAir) return;
    onAir.publication.changeSource({ tracks: [], metadata: undefined });
    onAir.demuxer = new FlvDemuxer(onAir.publication);
    onAir.feed.resume(this.#moment(onAir, this.#deps.clock()));
    this.#plan.noteLate();
  }

  #moment({ zeroMs }: OnAir, now: number): Moment {
    return { atMs: now - zeroMs, wallMs: this.#deps.wallClock() };
  }

  #publish(now: number): void {
    // Waits while the stream has another publisher, because an attempt would be listed as a refusal.
    const { hub } = this.#deps.gate;
    const isTaken = hub.isSending(this.#order, now) || hub.spares.of(this.#order).length > 0;
    if (isTaken) this.#wait('stream-busy', retryMs);
    else this.#admit();
  }

  #admit(): void {
    this.#isAdmitting = true;
    const session = this.#sessionInfo();
    const owner = { close: (reason: StreamEndReason) => this.#onEnded(reason) };
    const { gate, log, clock } = this.#deps;
    admitPublisher(session, owner, gate)
      .then((result) => {
        this.#isAdmitting = false;
        if (!result.ok) return this.#wait(result.reason, Math.min(maxRetryMs, retryMs * 2 ** this.#refusals++));
        this.#refusals = 0;
        this.#start(result.publication);
        if (this.#isClosed) return this.#end('unpublished');
        log.info(sessionFields(session), 'publish started');
        this.tick(clock());
      })
      .catch((error: unknown) => {
        this.#isAdmitting = false;
        log.error({ err: error, channel: this.#order.id }, 'channel could not be published');
        this.#wait('error', maxRetryMs);
      });
  }

  #start(publication: Publication): void {
    const feed = new ChannelFeed(this.#order, (part, reason) => this.#onFailed(part, reason));
    this.#tag = undefined;
    this.#onAir = { publication, demuxer: new FlvDemuxer(publication), feed, zeroMs: this.#deps.clock() };
  }

  /** Called when the publication has ended: by another publisher, the operator, shutdown or a bug. */
  #onEnded(reason: StreamEndReason): void {
    this.#end(reason);
    this.#wait(reason, retryMs);
  }

  #wait(reason: string, delayMs: number): void {
    this.#reason = reason;
    this.#nextAttemptMs = this.#deps.clock() + delayMs;
  }

  #end(reason: StreamEndReason): void {
    const onAir = this.#onAir;
    if (!onAir) return;
    this.#onAir = undefined;
    this.#cover.close();
    this.#shown = undefined;
    const { gate, log } = this.#deps;
    onAir.feed.close().catch((error: unknown) => log.warn({ err: error }, 'file of a channel could not be closed'));
    onAir.publication.end(reason);
    log.info({ ...sessionFields(onAir.publication.session), reason }, 'publish ended');
    gate.ports.onUnpublish(onAir.publication.session);
  }

  #onFailed(part: Part, reason: string): void {
    this.#deps.log.warn({ channel: this.#order.id, file: part.file, reason }, 'channel skipped a file');
    this.#note('failed', part, reason);
  }

  #note(kind: ChannelEvent['kind'], { entry, file }: Pick<Part, 'entry' | 'file'>, detail: string, offsetMs = 0): void {
    const number = ++this.#eventCount;
    const atMs = this.#deps.wallClock();
    this.#events.push({ number, atMs, entry: entry?.id ?? '', file, kind, detail, offsetMs });
    if (this.#events.length > maxEvents) this.#events.shift();
  }

  #sessionInfo(): SessionInfo {
    const { vhost, app, stream, param } = this.#order;
    return {
      ...{ vhost, app, stream, param, ip: '127.0.0.1', clientId: randomId(8), type: 'channel-publish' },
      ...{ tcUrl: `rtmp://localhost/${app}`, pageUrl: '' },
    };
  }
}

/** Whether the tag starts a new entry. Consecutive parts of the filler count as one entry. */
function isNew({ part, partNumber }: ChannelTag, last: ChannelTag | undefined): boolean {
  if (part.file !== last?.part.file || part.entry?.id !== last.part.entry?.id) return true;
  return part.entry !== undefined && partNumber !== last.partNumber;
}

/** Drops damaged tags, as for other publishers. */
function readTag({ demuxer, publication }: OnAir, type: number, body: Buffer, atMs: number): void {
  try {
    demuxer.read(type, body, atMs);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    publication.countDropped(type === tagType.video ? 'video' : 'audio');
  }
}
