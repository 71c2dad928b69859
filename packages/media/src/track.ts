// One elementary stream of a live stream. Tracks are immutable: a new codec configuration is a new object. A change is therefore detected
// by `packet.track !== lastTrack`.

export type VideoCodec = 'h264' | 'h265' | 'av1' | 'vp9' | 'vp8';
export type AudioCodec = 'aac' | 'opus' | 'mp3' | 'mp2' | 'ac3' | 'eac3' | 'flac' | 'pcma' | 'pcmu';

export interface VideoTrack {
  readonly kind: 'video';
  readonly codec: VideoCodec;
  /** Decoder configuration record: avcC, hvcC, av1C or vpcC bytes. Empty when the codec needs none. */
  readonly config: Buffer;
  /** Pixels; 0 while unknown. */
  readonly width: number;
  readonly height: number;
  /** SRS's names, e.g. `High`, `3.1`; empty while unknown. */
  readonly profile: string;
  readonly level: string;
}

export interface AudioTrack {
  readonly kind: 'audio';
  readonly codec: AudioCodec;
  /** AudioSpecificConfig (AAC), OpusHead (Opus, RFC 7845 §5.1), sequence header (FLAC); empty when the codec needs none. */
  readonly config: Buffer;
  /** Hz; 0 while unknown. */
  readonly sampleRate: number;
  readonly channels: number;
  /** SRS's names, e.g. `LC`; empty while unknown. */
  readonly profile: string;
}

export type Track = VideoTrack | AudioTrack;

/** Whether both tracks have the same codec and the same configuration bytes. */
export function isSameTrack(a: Track, b: Track): boolean {
  return a === b || (a.kind === b.kind && a.codec === b.codec && a.config.equals(b.config));
}
