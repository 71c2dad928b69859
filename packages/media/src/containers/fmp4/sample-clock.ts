// Converts times of the hub (milliseconds, possibly rounded) to ticks of a track. Video keeps its timestamps. Audio times are counted in
// samples to avoid rounding gaps, and corrected after drift.
import { parseAacConfig } from '../../codecs/aac.ts';
import { opusPacketDurationUs } from '../../codecs/opus.ts';
import type { AudioTrack } from '../../track.ts';
import type { Fmp4Track } from './fmp4-track.ts';

/** Maximum drift of counted audio from the hub's time, milliseconds. RTMP rounds timestamps, and encoders send audio in batches. */
const driftToleranceMs = 50;
/** Samples per AAC frame if the configuration is invalid. */
const defaultAacSamples = 1024;

export class SampleClock {
  readonly #timescale: number;
  readonly #audio: AudioTrack | undefined;
  readonly #aacSamples: number;
  #nextTicks: number | undefined;

  constructor({ media, timescale }: Fmp4Track) {
    this.#timescale = timescale;
    this.#audio = media.kind === 'audio' ? media : undefined;
    this.#aacSamples = this.#audio?.codec === 'aac' ? aacFrameSamples(this.#audio) : 0;
  }

  toTicks(timeMs: number): number {
    return Math.max(0, Math.round((timeMs * this.#timescale) / 1000));
  }

  /** Decode time of a packet, ticks. An audio packet starts at the end of the previous packet, unless the drift is too large. */
  ticksOf(dtsMs: number, payload: Buffer): number {
    const ticks = this.toTicks(dtsMs);
    if (this.#audio === undefined) return ticks;
    const tolerance = (driftToleranceMs * this.#timescale) / 1000;
    const counted = this.#nextTicks;
    const isContinuous = counted !== undefined && Math.abs(counted - ticks) <= tolerance;
    // A drift correction never goes back in time.
    const start = isContinuous ? counted : Math.max(ticks, counted ?? 0);
    this.#nextTicks = start + this.durationOf(payload);
    return start;
  }

  /** Duration of an audio packet, ticks. Returns 0 for video, because the duration depends on the next frame. */
  durationOf(payload: Buffer): number {
    if (this.#audio === undefined) return 0;
    if (this.#audio.codec === 'opus') return Math.round((opusPacketDurationUs(payload) * this.#timescale) / 1_000_000);
    return this.#aacSamples;
  }
}

/** Samples per frame at the output rate, which SBR doubles. */
function aacFrameSamples({ config }: AudioTrack): number {
  const aac = parseAacConfig(config);
  return aac ? Math.round((aac.frameSamples * aac.sampleRate) / aac.coreSampleRate) : defaultAacSamples;
}
