// Health of a stream: how regularly media arrives, and how well its tracks are aligned. Only the built-in media server measures health.
import { z } from 'zod';

/** A missing value counts as 0. */
const numberOrZero = z.number().catch(0);

export const streamHealth = z.object({
  /** Milliseconds since the last packet of any track, of video, and of audio. */
  silentMs: numberOrZero,
  videoSilentMs: numberOrZero,
  audioSilentMs: numberOrZero,
  /** Longest pause of the last minute, milliseconds. */
  longestGapMs: numberOrZero,
  /** Jitter of the last 10 s, milliseconds: variation of arrival times relative to media timestamps. */
  arrivalSpreadMs: numberOrZero,
  /** Offset of audio relative to video, milliseconds; negative if audio is late. */
  audioOffsetMs: numberOrZero,
  /** Milliseconds of media since the last keyframe, or since the first frame without a keyframe. */
  keyframeAgeMs: numberOrZero,
  hasKeyframe: z.boolean().catch(true),
  hasBFrames: z.boolean().catch(false),
  videoKbps: numberOrZero,
  audioKbps: numberOrZero,
  /** Frame rate announced by the encoder; 0 for none. */
  declaredFps: numberOrZero,
  /** Counts of the last minute: repaired timestamps, packets that needed retransmission, packets never recovered, unreadable messages. */
  recentRepairs: numberOrZero,
  recentLostPackets: numberOrZero,
  recentMissingPackets: numberOrZero,
  recentDroppedVideo: numberOrZero,
  recentDroppedAudio: numberOrZero,
  recentDroppedOther: numberOrZero,
});
export type StreamHealth = z.infer<typeof streamHealth>;
