// Interface of the audio converter, for readers that do not support the publisher's codec.
import type { AudioPacket } from '@srs-stack/media/packet.ts';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { AudioCodec, AudioTrack } from '@srs-stack/media/track.ts';

export interface AudioBridge {
  /** Returns the first codec of `accepted` to which `source` can be converted; undefined if none. */
  targetOf(source: AudioCodec, accepted: readonly AudioCodec[]): AudioCodec | undefined;
  /** Starts a conversion of pushed packets. Never throws; a failure is reported in `state`. */
  convert(order: ConversionOrder): AudioConversion;
}

export interface ConversionOrder {
  readonly stream: StreamKey;
  readonly source: AudioTrack;
  readonly target: AudioCodec;
  /** Receives a converted packet, on the timeline of the pushed packets and in ascending order. */
  readonly onPacket: (packet: AudioPacket) => void;
}

/** `waiting`: failed; restarts later, unless the configuration is invalid. `missing`: the program is not installed. */
export type ConversionState = 'starting' | 'running' | 'waiting' | 'missing';

export interface AudioConversion {
  /** The converted track, known before the first packet. */
  readonly track: AudioTrack;
  readonly state: ConversionState;
  push(packet: AudioPacket): void;
  /** Stops the output. Idempotent. */
  close(): void;
}

/** The bridge of a hub without a converter: readers get the publisher's audio or no audio. */
export const noAudioBridge: AudioBridge = {
  targetOf: () => undefined,
  convert: () => {
    throw new Error('no audio converter is available');
  },
};
