// Reads another stream of the hub for a channel. Starts with the next keyframe, or with the last keyframe if nothing else is on air.
import type { Packet } from '@srs-stack/media/packet.ts';
import type { Stream } from '../../hub/stream.ts';
import type { StreamReader } from '../../hub/stream-reader.ts';

/** A live stream without packets for this time counts as ended, milliseconds. Meanwhile viewers see a frozen image. */
const silenceMs = 2_000;

export interface LiveReaderOptions {
  /** `app/stream`. */
  readonly live: string;
  readonly source: Stream;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly mayBegin: () => boolean;
  /** Called when the stream starts, and when its publisher changes. */
  readonly onBegin: (reader: LiveReader, first: Packet) => void;
  readonly onPacket: (packet: Packet) => void;
}

export class LiveReader implements StreamReader {
  readonly name = 'channel';
  readonly live: string;
  readonly source: Stream;
  readonly #options: LiveReaderOptions;
  #lastPacketMs: number;
  #isStarted = false;
  #isOver = false;
  #detach: (() => void) | undefined;

  constructor(options: LiveReaderOptions) {
    this.live = options.live;
    this.source = options.source;
    this.#options = options;
    this.#lastPacketMs = options.clock();
  }

  /** Packets may arrive before this call returns. */
  open(attach: (reader: StreamReader) => { detach(): void }): void {
    const subscription = attach(this);
    if (this.#isOver) subscription.detach();
    else this.#detach = () => subscription.detach();
  }

  /** Whether the stream has ended, is silent, or shows a slate or backup. */
  isOver(now: number): boolean {
    const { publisher, isReplaced } = this.source;
    return this.#isOver || !publisher || isReplaced || now - this.#lastPacketMs >= silenceMs;
  }

  onPacket(packet: Packet): void {
    const { source } = this;
    if (this.#isOver || source.isReplaced) return;
    const { clock, mayBegin, onBegin, onPacket } = this.#options;
    this.#lastPacketMs = clock();
    if (!this.#isStarted) {
      const isStart = packet.track.kind === 'video' ? packet.keyframe : !source.announcesVideo;
      if (!isStart || !mayBegin()) return;
      this.#isStarted = true;
      onBegin(this, packet);
    }
    onPacket(packet);
  }

  onPublisherChange(): void {
    this.#isStarted = false;
  }

  onEnd(): void {
    this.#isOver = true;
    this.#detach = undefined;
  }

  /** Idempotent. */
  close(): void {
    this.#isOver = true;
    this.#detach?.();
    this.#detach = undefined;
  }
}
