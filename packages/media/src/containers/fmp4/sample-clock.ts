// Converts times of the hub, in milliseconds and possibly rounded, to ticks of a track. Video keeps its timestamps.
// Audio counts its samples, so that rounding leaves no gaps, and resynchronizes when the hub's time has drifted.
import { parseAacConfig } from '../../codecs/aac.ts';
import { opusPacketDurationUs } from '../../codecs/opus.ts';
import type { AudioTrack } from '../../track.ts';
import type { Fmp4Track } from './fmp4-track.ts';

/** Maximum difference between counted samples and the hub's time, milliseconds: RTMP rounds, encoders send audio in batches. */
const driftToleranceMs = 50;
/** Samples of an AAC frame whose configuration is invalid. */
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

  /** Decode time of a packet, ticks. Audio continues at the end of the previous packet, unless it differs too much from the hub's time. */
  ticksOf(dtsMs: number, payload: Buffer): number {
    const ticks = this.toTicks(dtsMs);
    if (this.#audio === undefined) return ticks;
    const tolerance = (driftToleranceMs * this.#timescale) / 1000;
    const counted = this.#nextTicks;
    const isContinuous = counted !== undefined && Math.abs(counted - ticks) <= tolerance;
    // Never repeats a time that was already written.
    const start = isContinuous ? counted : Math.max(ticks, counted ?? 0);
    this.#nextTicks = start + this.durationOf(payload);
    return start;
  }

  /** Duration of an audio packet, ticks; 0 for video, whose duration is the distance to the next frame. */
  durationOf(payload: Buffer): number {
    if (this.#audio === undefined) return 0;
    if (this.#audio.codec === 'opus') return Math.round((opusPacketDurationUs(payload) * this.#timescale) / 1_000_000);
    return this.#aacSamples;
  }
}

/** Samples at the output rate: SBR doubles those of the core coder. */
function aacFrameSamples({ config }: AudioTrack): number {
  const aac = parseAacConfig(config);
  return aac ? Math.round((aac.frameSamples * aac.sampleRate) / aac.coreSampleRate) : defaultAacSamples;
}
