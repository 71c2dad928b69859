// Length of parts: a whole number of frames near a third of a second, constant within a stream. RFC 8216bis §4.4.3.7: no part exceeds the
// target; only the last part of a segment may be shorter than 85 % of the target.

/**
 * Preferred part length, milliseconds. Longer parts add latency, because a player stays three parts behind. Shorter parts cost more
 * requests, two per part.
 */
const aimMs = 1000 / 3;
/** Margin of the target for rounded timestamps. */
const slack = 1.02;
/** Longest target, milliseconds, equal to the shortest segment. Reached with frame intervals of seconds. */
const maxPartTargetMs = 2_000;
/** Interval assumed after a single packet, milliseconds. */
const defaultFrameMs = 40;

export interface PartPlan {
  /** Interval of video frames, or of audio packets, milliseconds. */
  readonly frameMs: number;
  /** `PART-TARGET`, whole milliseconds. */
  readonly partTargetMs: number;
}

/** @param timesMs decode times of the leading track in ascending order. */
export function planParts(timesMs: readonly number[]): PartPlan {
  const first = timesMs[0] ?? 0;
  const distance = ((timesMs.at(-1) ?? 0) - first) / (timesMs.length - 1);
  const frameMs = distance > 0 && Number.isFinite(distance) ? distance : defaultFrameMs;
  const frames = Math.max(1, Math.round(aimMs / frameMs));
  return { frameMs, partTargetMs: Math.min(maxPartTargetMs, Math.ceil(frames * frameMs * slack) + 1) };
}
