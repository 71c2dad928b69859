// Reads another stream of the hub for a channel, from a keyframe on: the next one, or the last one where nothing else is to be shown
// meanwhile.
import type { Packet } from '@srs-stack/media/packet.ts';
import type { Stream } from '../../hub/stream.ts';
import type { StreamReader } from '../../hub/stream-reader.ts';

/** A live stream that sent nothing for so long has ended for the channel, milliseconds: viewers see a frozen image meanwhile. */
const silenceMs = 2_000;

export interface LiveReaderOptions {
  /** `app/stream`. */
  readonly live: string;
  readonly source: Stream;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** False: it may not begin now. */
  readonly mayBegin: () => boolean;
  /** Also when its publisher is another one. */
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

  /** Packets may come before it returns. */
  open(attach: (reader: StreamReader) => { detach(): void }): void {
    const subscription = attach(this);
    if (this.#isOver) subscription.detach();
    else this.#detach = () => subscription.detach();
  }

  /** The stream has ended, is silent, or is itself continued by its slate or backup. */
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
