// Drops audio from before the first keyframe of a source: it would overlap with the slate.
import type { Packet } from '@srs-stack/media/packet.ts';

/** Maximum distance of audio to the video of the same time, milliseconds; a larger one means a different clock. */
const maxInterleaveMs = 1_000;

export class LeadingAudio {
  #beforeMs: number | undefined;

  /** The source starts with this packet. */
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
