// Audio of a source that belongs before its first keyframe: it would fall into the time of the slate.
import type { Packet } from '@srs-stack/media/packet.ts';

/** Audio is sent this much later than video of its time, milliseconds; what is further off is on another clock. */
const maxInterleaveMs = 1_000;

export class LeadingAudio {
  #beforeMs: number | undefined;

  /** The source begins with this packet. */
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
