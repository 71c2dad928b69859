// A stream with a delay of some seconds, for pushes. Reads the live stream, holds its packets, and publishes them in a separate hub. Pushes
// find the stream in that hub. Start and end are delayed as well.
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { ReportFault } from '../../../faults.ts';
import type { AudioBridge } from '../../../hub/audio-bridge.ts';
import type { GopCacheLimits } from '../../../hub/gop-cache.ts';
import { type Publication, type Stream, StreamHub, type Subscription } from '../../../hub/stream-hub.ts';
import type { StreamReader } from '../../../hub/stream-reader.ts';
import type { EngineLogger } from '../../../ports.ts';
import { isCopy } from '../../../session-info.ts';
import { RestingTicker } from '../../../util/resting-ticker.ts';
import { DelayBuffer, type DelayedEvent, type DelayMemory } from './delay-buffer.ts';

/** Interval at which due media is released, milliseconds: half a frame. */
const stepMs = 20;
/** Interval of `tick` for the hub of a delayed stream, milliseconds. */
const hubTickMs = 250;

export interface DelayedStreamOptions {
  readonly hub: StreamHub;
  readonly key: StreamKey;
  readonly delayMs: number;
  readonly memory: DelayMemory;
  readonly gopCache: GopCacheLimits;
  readonly bridge: AudioBridge | undefined;
  readonly log: EngineLogger;
  readonly onFault: ReportFault;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export class DelayedStream implements StreamReader {
  readonly name = 'push-delay';
  /** The separate hub, which contains only the delayed stream. */
  readonly hub: StreamHub;
  readonly #options: DelayedStreamOptions;
  readonly #buffer: DelayBuffer;
  readonly #ticker = new RestingTicker({ everyMs: stepMs, tick: () => this.#tick() });
  readonly #unobserve: readonly (() => void)[];
  #subscription: Subscription | undefined;
  #publication: Publication | undefined;
  #hubTickedMs = Number.NEGATIVE_INFINITY;

  constructor(options: DelayedStreamOptions) {
    const { hub, key, delayMs, memory, gopCache, bridge, log, onFault, clock } = options;
    this.#options = options;
    this.#buffer = new DelayBuffer(delayMs, memory);
    const never = Number.POSITIVE_INFINITY;
    this.hub = new StreamHub({
      // No timeouts, because the live hub already applies the timeouts of the publisher.
      config: { gopCache, takeoverSilenceMs: 0, firstPacketTimeoutMs: never, publisherTimeoutMs: never },
      ...{ log, onFault, clock, ...(bridge && { bridge }) },
      onWork: () => this.#ticker.wake(),
    });
    const url = toStreamUrl(key);
    const isThis = (stream: Stream): boolean => toStreamUrl(stream.key) === url;
    this.#unobserve = [
      hub.onStreamStart((stream) => isThis(stream) && this.#attach(stream, false)),
      hub.onStreamEnd((stream) => isThis(stream) && this.#hold({ kind: 'end' })),
    ];
    const live = hub.find(key);
    if (live?.publisher && !isCopy(live.publisher)) this.#attach(live, true);
  }

  find(): Stream | undefined {
    const stream = this.hub.find(this.#options.key);
    return stream?.publisher && stream;
  }

  get droppedFrames(): number {
    return this.#buffer.droppedFrames;
  }

  /** Time until the delayed stream starts, milliseconds. Undefined after the start and without a live stream. */
  startsInMs(now: number): number | undefined {
    return this.#publication ? undefined : this.#buffer.dueInMs(now);
  }

  onPacket(packet: Parameters<StreamReader['onPacket']>[0]): void {
    this.#hold({ kind: 'packet', packet });
  }

  onMetadata(metadata: Parameters<NonNullable<StreamReader['onMetadata']>>[0]): void {
    this.#hold({ kind: 'metadata', metadata });
  }

  onPublisherChange(): void {
    const session = this.#subscription?.stream.publisher;
    if (!session) return;
    if (!isCopy(session)) {
      this.#hold({ kind: 'begin', session });
      return;
    }
    // The publisher is now connected to another gateway, which sends the pushes.
    this.#buffer.clear();
    this.#publication?.end('replaced');
    this.#publication = undefined;
  }

  onEnd(): void {
    this.#subscription = undefined;
  }

  close(): void {
    for (const off of this.#unobserve) off();
    this.#subscription?.detach();
    this.#subscription = undefined;
    this.#ticker.close();
    this.#buffer.clear();
    this.hub.close();
  }

  #attach(stream: Stream, fromGopCache: boolean): void {
    if (this.#subscription) return;
    this.#hold({ kind: 'begin', session: stream.publisher! });
    this.#subscription = this.#options.hub.attach(stream.key, this, { fromGopCache });
  }

  #hold(event: DelayedEvent): void {
    this.#buffer.add(event, this.#options.clock());
    this.#ticker.wake();
  }

  #tick(): boolean {
    const now = this.#options.clock();
    for (let event = this.#buffer.take(now); event; event = this.#buffer.take(now)) this.#release(event);
    if (now - this.#hubTickedMs >= hubTickMs) {
      this.#hubTickedMs = now;
      this.hub.tick(now);
    }
    return !this.#buffer.isEmpty || !this.hub.isIdle;
  }

  #release(event: DelayedEvent): void {
    if (event.kind === 'begin') {
      const owner = { close: () => undefined };
      const result = this.hub.publish(event.session, owner, this.#options.clock(), { keepsClock: true });
      this.#publication = result.ok ? result.publication : undefined;
    } else if (event.kind === 'metadata') this.#publication?.setMetadata(event.metadata);
    else if (event.kind === 'packet') this.#publication?.push(event.packet);
    else {
      this.#publication?.end('unpublished');
      this.#publication = undefined;
    }
  }
}
