// How regularly the media of a stream arrives and how well its tracks are aligned, measured by the built-in media server. A real SRS
// measures none of it.
import { z } from 'zod';

/** A missing value means that there is nothing to report. */
const figure = z.number().catch(0);

export const streamHealth = z.object({
  /** Time since the last packet of any track, of video, of audio, milliseconds. */
  silentMs: figure,
  videoSilentMs: figure,
  audioSilentMs: figure,
  /** Longest pause of the last minute, milliseconds. */
  longestGapMs: figure,
  /** Jitter: variation of arrival times against media timestamps within 10 s, milliseconds. */
  arrivalSpreadMs: figure,
  /** Offset of audio relative to video, milliseconds; negative when audio is behind. */
  audioOffsetMs: figure,
  /** Media time since the last keyframe, or since the first frame if there was no keyframe, milliseconds. */
  keyframeAgeMs: figure,
  hasKeyframe: z.boolean().catch(true),
  hasBFrames: z.boolean().catch(false),
  videoKbps: figure,
  audioKbps: figure,
  /** Value announced by the encoder; 0 when it announced none. */
  declaredFps: figure,
  /** Counts of the last minute: repaired timestamps, packets lost before retransmission, packets never recovered, unreadable messages. */
  recentRepairs: figure,
  recentLostPackets: figure,
  recentMissingPackets: figure,
  recentDroppedVideo: figure,
  recentDroppedAudio: figure,
  recentDroppedOther: figure,
});
export type StreamHealth = z.infer<typeof streamHealth>;
