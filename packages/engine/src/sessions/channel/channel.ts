// One channel on the air: publishes its stream like any publisher while it is ordered, and feeds it at the pace of a clock.
import { FlvDemuxer } from '@srs-stack/media/containers/flv/flv-demuxer.ts';
import { tagType } from '@srs-stack/media/containers/flv/flv-format.ts';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { ChannelOrder } from '@srs-stack/process/channel-orders.ts';
import type { Publication } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import type { EngineLogger } from '../../ports.ts';
import { type SessionInfo, sessionFields } from '../../session-info.ts';
import { randomId } from '../../util/random-id.ts';
import { admitPublisher, type PublishGate } from '../gate/publish-gate.ts';
import { ChannelFeed, type Moment } from './channel-feed.ts';
import type { ChannelEvent, ChannelSnapshot } from './channel-status.ts';
import type { Part } from './next-part.ts';

/** Delay of the next attempt, milliseconds: after the end of a live stream that took over, and after the first refusal. */
const retryMs = 1_000;
/** Maximum delay after several consecutive refusals, milliseconds. */
const maxRetryMs = 4_000;
/** Maximum number of kept events: a control plane that restarts reads the missed ones. */
const maxEvents = 100;

export interface ChannelDeps {
  readonly gate: PublishGate;
  readonly log: EngineLogger;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
}

interface OnAir {
  readonly publication: Publication;
  readonly demuxer: FlvDemuxer;
  readonly feed: ChannelFeed;
  /** Monotonic time of 0 on the clock of the channel, milliseconds. */
  readonly zeroMs: number;
}

export class Channel {
  readonly #deps: ChannelDeps;
  #order: ChannelOrder;
  #onAir: OnAir | undefined;
  #part: Part | undefined;
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
  }

  /** False when the order is for another stream: the channel must be closed and opened again. */
  change(order: ChannelOrder): boolean {
    if (toStreamUrl(order) !== toStreamUrl(this.#order)) return false;
    this.#order = order;
    const { clock } = this.#deps;
    if (this.#onAir) this.#onAir.feed.change(order, this.#moment(this.#onAir, clock()));
    return true;
  }

  /** Sends due tags. Call at the frame rate. */
  tick(now: number): void {
    if (this.#onAir) this.#send(this.#onAir, now);
    else if (!this.#isAdmitting && !this.#isClosed && now >= this.#nextAttemptMs) this.#publish(now);
  }

  snapshot(): ChannelSnapshot {
    return {
      id: this.#order.id,
      streamUrl: toStreamUrl(this.#order),
      state: this.#onAir ? 'on-air' : 'waiting',
      reason: this.#onAir ? '' : this.#reason,
      events: [...this.#events],
    };
  }

  /** Ends the stream and closes the files. Idempotent. */
  close(reason: StreamEndReason = 'unpublished'): void {
    this.#isClosed = true;
    this.#end(reason);
  }

  /** After a bug: the stream ends and is published again. */
  fail(): void {
    this.#onEnded('error');
  }

  #send(onAir: OnAir, now: number): void {
    const moment = this.#moment(onAir, now);
    for (const { type, body, atMs, part } of onAir.feed.take(moment.atMs)) {
      if (part.entry !== this.#part?.entry || part.file !== this.#part?.file) this.#note('started', part, '');
      this.#part = part;
      onAir.publication.countReceived(body.length);
      readTag(onAir, type, body, atMs);
    }
    onAir.feed.fill(moment);
  }

  #moment({ zeroMs }: OnAir, now: number): Moment {
    return { atMs: now - zeroMs, wallMs: this.#deps.wallClock() };
  }

  #publish(now: number): void {
    // Another publisher of the stream is not a failure: an attempt would be listed as a refusal.
    if (this.#deps.gate.hub.isSending(this.#order, now)) this.#wait('stream-busy', retryMs);
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
    this.#part = undefined;
    this.#onAir = { publication, demuxer: new FlvDemuxer(publication), feed, zeroMs: this.#deps.clock() };
  }

  /** The hub has ended it: another publisher, the operator, or a shutdown. */
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
    const { gate, log } = this.#deps;
    onAir.feed.close().catch((error: unknown) => log.warn({ err: error }, 'file of a channel not closed'));
    onAir.publication.end(reason);
    log.info({ ...sessionFields(onAir.publication.session), reason }, 'publish ended');
    gate.ports.onUnpublish(onAir.publication.session);
  }

  #onFailed(part: Part, reason: string): void {
    this.#deps.log.warn({ channel: this.#order.id, file: part.file, reason }, 'channel skipped a file');
    this.#note('failed', part, reason);
  }

  #note(kind: ChannelEvent['kind'], { entry, file }: Part, detail: string): void {
    const number = ++this.#eventCount;
    this.#events.push({ number, atMs: this.#deps.wallClock(), entry: entry?.id ?? '', file, kind, detail });
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

/** A tag that is damaged is left out, as of any publisher. */
function readTag({ demuxer, publication }: OnAir, type: number, body: Buffer, atMs: number): void {
  try {
    demuxer.read(type, body, atMs);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    publication.countDropped(type === tagType.video ? 'video' : 'audio');
  }
}
