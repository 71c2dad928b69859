// A track as fragmented MP4 has it: number, clock rate, sample entry.
import type { Track } from '../../track.ts';
import { sampleEntry } from './sample-entries.ts';

export interface Fmp4Track {
  readonly id: number;
  readonly media: Track;
  /** Ticks per second. */
  readonly timescale: number;
  readonly entry: Buffer;
}

/** Of MPEG-TS and RTP, and a multiple of all usual frame rates, Hz. */
const videoTimescale = 90_000;
/** For audio of unknown rate, Hz. */
const defaultAudioTimescale = 48_000;

/** Undefined when fragmented MP4 cannot carry it here. Audio counts in samples. */
export function toFmp4Track(media: Track, id: number): Fmp4Track | undefined {
  const entry = sampleEntry(media);
  const timescale = media.kind === 'video' ? videoTimescale : media.sampleRate || defaultAudioTimescale;
  return entry && { id, media, timescale, entry };
}
