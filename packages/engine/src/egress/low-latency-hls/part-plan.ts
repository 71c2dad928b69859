// How long parts are: a whole number of pictures near a third of a second, so that each has the same number (RFC 8216bis §4.4.3.7:
// none is longer than the target, none but the last of a segment shorter than 85 % of it).

/** Aimed length of a part, milliseconds: three of them are what a player stays behind, and each costs two requests. */
const aimMs = 1000 / 3;
/** A target so much above the aim takes in that clocks round, and leaves room for a part that has half a picture less. */
const slack = 1.02;
/** Longest target, milliseconds, for pictures seconds apart: the shortest segment. */
const maxPartTargetMs = 2_000;
/** Distance when a single packet is known, milliseconds. */
const defaultFrameMs = 40;

export interface PartPlan {
  /** Distance of pictures, or of packets of sound, milliseconds. */
  readonly frameMs: number;
  /** `PART-TARGET`, whole milliseconds. */
  readonly partTargetMs: number;
}

/** @param timesMs decode times of what leads, in their order. */
export function planParts(timesMs: readonly number[]): PartPlan {
  const first = timesMs[0] ?? 0;
  const distance = ((timesMs.at(-1) ?? 0) - first) / (timesMs.length - 1);
  const frameMs = distance > 0 && Number.isFinite(distance) ? distance : defaultFrameMs;
  const frames = Math.max(1, Math.round(aimMs / frameMs));
  return { frameMs, partTargetMs: Math.min(maxPartTargetMs, Math.ceil(frames * frameMs * slack) + 1) };
}
