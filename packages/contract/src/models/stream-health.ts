// How regularly the media of a stream arrives and how well its tracks are aligned, measured by the built-in media server. A real SRS
// measures none of it.
import { z } from 'zod';

/** A missing value counts as 0. */
const numberOrZero = z.number().catch(0);

export const streamHealth = z.object({
  /** Time since the last packet of any track, of video, and of audio, milliseconds. */
  silentMs: numberOrZero,
  videoSilentMs: numberOrZero,
  audioSilentMs: numberOrZero,
  /** Longest pause of the last minute, milliseconds. */
  longestGapMs: numberOrZero,
  /** Jitter: variation of arrival times against media timestamps within 10 s, milliseconds. */
  arrivalSpreadMs: numberOrZero,
  /** Offset of audio relative to video, milliseconds; negative when audio is behind. */
  audioOffsetMs: numberOrZero,
  /** Media time since the last keyframe, or since the first frame if there was no keyframe, milliseconds. */
  keyframeAgeMs: numberOrZero,
  hasKeyframe: z.boolean().catch(true),
  hasBFrames: z.boolean().catch(false),
  videoKbps: numberOrZero,
  audioKbps: numberOrZero,
  /** Frame rate that the encoder announced; 0 if it announced none. */
  declaredFps: numberOrZero,
  /** Counts of the last minute: repaired timestamps, packets lost before retransmission, packets never recovered, unreadable messages. */
  recentRepairs: numberOrZero,
  recentLostPackets: numberOrZero,
  recentMissingPackets: numberOrZero,
  recentDroppedVideo: numberOrZero,
  recentDroppedAudio: numberOrZero,
  recentDroppedOther: numberOrZero,
});
export type StreamHealth = z.infer<typeof streamHealth>;
