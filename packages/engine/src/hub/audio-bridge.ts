// What the hub asks of whoever converts sound for readers that cannot carry the publisher's codec.
import type { AudioPacket } from '@srs-stack/media/packet.ts';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { AudioCodec, AudioTrack } from '@srs-stack/media/track.ts';

export interface AudioBridge {
  /** The first of `accepted` that `source` can be turned into; undefined when there is none. */
  targetOf(source: AudioCodec, accepted: readonly AudioCodec[]): AudioCodec | undefined;
  /** Starts to convert what is pushed. Never throws: a converter that cannot work says so in its `state`. */
  convert(order: ConversionOrder): AudioConversion;
}

export interface ConversionOrder {
  readonly stream: StreamKey;
  readonly source: AudioTrack;
  /** What `targetOf` returned. */
  readonly target: AudioCodec;
  /** A converted packet, on the timeline of the packets that were pushed, always later than the one before. */
  readonly onPacket: (packet: AudioPacket) => void;
}

/** `waiting`: broke down and is tried again; `missing`: the program it needs is not installed. */
export type ConversionState = 'starting' | 'running' | 'waiting' | 'missing';

export interface AudioConversion {
  /** What comes out; known before the first packet does. */
  readonly track: AudioTrack;
  readonly state: ConversionState;
  push(packet: AudioPacket): void;
  /** Nothing comes out any more. Idempotent. */
  close(): void;
}

/** For hubs without a converter: readers get the publisher's sound or none. */
export const noAudioBridge: AudioBridge = {
  targetOf: () => undefined,
  convert: () => {
    throw new Error('nothing can be converted');
  },
};
