// Interface of the converter of audio for readers that do not support the publisher's codec.
import type { AudioPacket } from '@srs-stack/media/packet.ts';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { AudioCodec, AudioTrack } from '@srs-stack/media/track.ts';

export interface AudioBridge {
  /** The first codec of `accepted` that `source` can be converted to; undefined when there is none. */
  targetOf(source: AudioCodec, accepted: readonly AudioCodec[]): AudioCodec | undefined;
  /** Starts converting pushed packets. Never throws: a failing converter reports it in its `state`. */
  convert(order: ConversionOrder): AudioConversion;
}

export interface ConversionOrder {
  readonly stream: StreamKey;
  readonly source: AudioTrack;
  /** Result of `targetOf`. */
  readonly target: AudioCodec;
  /** A converted packet, on the timeline of the pushed packets, with increasing times. */
  readonly onPacket: (packet: AudioPacket) => void;
}

/** `waiting`: failed and will be restarted; `missing`: the program is not installed. */
export type ConversionState = 'starting' | 'running' | 'waiting' | 'missing';

export interface AudioConversion {
  /** The converted track; known before its first packet. */
  readonly track: AudioTrack;
  readonly state: ConversionState;
  push(packet: AudioPacket): void;
  /** Stops the output. Idempotent. */
  close(): void;
}

/** The bridge of hubs without a converter: readers get the publisher's audio or none. */
export const noAudioBridge: AudioBridge = {
  targetOf: () => undefined,
  convert: () => {
    throw new Error('no audio converter is available');
  },
};
