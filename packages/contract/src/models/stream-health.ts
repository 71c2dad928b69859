// How regularly a stream's media comes and how its tracks fit together, as the embedded media server measures it. A real SRS
// measures none of it.
import { z } from 'zod';

/** A figure that is missing counts as "nothing to report". */
const figure = z.number().catch(0);

export const streamHealth = z.object({
  /** Wall time since the last packet of any track, of video, of audio, milliseconds. */
  silentMs: figure,
  videoSilentMs: figure,
  audioSilentMs: figure,
  /** Longest pause of the last minute, milliseconds. */
  longestGapMs: figure,
  /** How much the arrival wandered against the media clock in 10 s, milliseconds. */
  arrivalSpreadMs: figure,
  /** How far the sound is ahead of the picture, milliseconds; negative when behind. */
  audioOffsetMs: figure,
  /** Media time since the last keyframe, or since the first picture when none came, milliseconds. */
  keyframeAgeMs: figure,
  hasKeyframe: z.boolean().catch(true),
  hasBFrames: z.boolean().catch(false),
  videoKbps: figure,
  audioKbps: figure,
  /** What the encoder announced; 0 when it announced none. */
  declaredFps: figure,
  /** Of the last minute: repaired timestamps, packets lost at first, packets that never came, messages that could not be read. */
  recentRepairs: figure,
  recentLostPackets: figure,
  recentMissingPackets: figure,
  recentDroppedVideo: figure,
  recentDroppedAudio: figure,
  recentDroppedOther: figure,
});
export type StreamHealth = z.infer<typeof streamHealth>;
