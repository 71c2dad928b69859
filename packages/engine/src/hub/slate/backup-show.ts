// A backup source or spare encoder on air: reads another stream from its last keyframe on, to continue the stream.
import type { Packet } from '@srs-stack/media/packet.ts';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { StreamReader } from '../stream-reader.ts';
import type { PresentTracks } from '../stream-view.ts';
import type { StandIn } from './stand-in.ts';

/** The stream of the backup. */
export interface BackupSource extends PresentTracks {
  readonly key: StreamKey;
  readonly isReplaced: boolean;
}

interface Subscription {
  detach(): void;
}

export class BackupShow implements StandIn, StreamReader {
  readonly name = 'backup';
  readonly sinceMs: number;
  readonly hasVideo: boolean;
  readonly isEncoder: boolean;
  readonly backup: BackupSource;
  readonly #clock: () => number;
  #subscription: Subscription | undefined;
  #packets: Packet[] = [];
  #onDue: () => void = () => undefined;
  #lastPacketMs: number;
  #isOver = false;

  constructor(backup: BackupSource, clock: () => number, { isEncoder }: { readonly isEncoder: boolean }) {
    this.sinceMs = clock();
    this.hasVideo = backup.video !== undefined;
    this.isEncoder = isEncoder;
    this.backup = backup;
    this.#clock = clock;
    this.#lastPacketMs = this.sinceMs;
  }

  /** Reads the backup. Calls `onDue` for each packet; `take` then returns the packet. */
  begin(attach: (reader: StreamReader) => Subscription, onDue: () => void): void {
    this.#onDue = onDue;
    this.#subscription = attach(this);
  }

  take(): Packet[] {
    return this.#packets.splice(0);
  }

  /** Whether the backup has ended, was silent for `silenceMs`, or itself shows a slate or backup source. */
  isOver(now: number, silenceMs: number): boolean {
    return this.#isOver || this.backup.isReplaced || now - this.#lastPacketMs >= silenceMs;
  }

  onPacket(packet: Packet): void {
    // Ignores the packets of a slate or backup source in the backup stream. Their codecs and video size may differ.
    if (this.backup.isReplaced) return;
    this.#lastPacketMs = this.#clock();
    this.#packets.push(packet);
    this.#onDue();
  }

  onEnd(): void {
    this.#isOver = true;
    this.#subscription = undefined;
  }

  close(): void {
    this.#onDue = () => undefined;
    this.#packets = [];
    this.#subscription?.detach();
    this.#subscription = undefined;
  }
}
