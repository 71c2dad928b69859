// Drops a source's audio from before its first keyframe, because the audio would overlap with the slate or the previous source.
import type { Packet } from '@srs-stack/media/packet.ts';

/** Maximum difference between simultaneous audio and video, milliseconds. A larger difference means different clocks. */
const maxInterleaveMs = 1_000;

export class LeadingAudio {
  #beforeMs: number | undefined;

  begin({ track, dtsMs }: Packet): void {
    this.#beforeMs = track.kind === 'video' ? dtsMs : undefined;
  }

  isLeftOut({ track, dtsMs }: Packet): boolean {
    if (this.#beforeMs === undefined || track.kind === 'video') return false;
    const aheadMs = this.#beforeMs - dtsMs;
    if (aheadMs > 0 && aheadMs <= maxInterleaveMs) return true;
    this.#beforeMs = undefined;
    return false;
  }
}
