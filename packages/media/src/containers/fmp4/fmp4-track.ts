// A track in fragmented MP4: number, clock rate, sample entry.
import type { Track } from '../../track.ts';
import { sampleEntry } from './sample-entries.ts';

export interface Fmp4Track {
  readonly id: number;
  readonly media: Track;
  /** Ticks per second. */
  readonly timescale: number;
  readonly entry: Buffer;
}

/** Clock rate of MPEG-TS and RTP, Hz; a multiple of all usual integer frame rates. */
const videoTimescale = 90_000;
/** Audio timescale when the sample rate is unknown, Hz. */
const defaultAudioTimescale = 48_000;

/** Returns undefined when the codec is unsupported or has no configuration. Audio uses the sample rate as timescale. */
export function toFmp4Track(media: Track, id: number): Fmp4Track | undefined {
  const entry = sampleEntry(media);
  const timescale = media.kind === 'video' ? videoTimescale : media.sampleRate || defaultAudioTimescale;
  return entry && { id, media, timescale, entry };
}
