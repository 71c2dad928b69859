// Choices, defaults and bounds of the ladder of renditions.

/** Encoders that may be chosen, the one in software first; the others only where a probe has encoded with them. */
export const ladderEncoders = ['libx264', 'h264_nvenc', 'h264_qsv', 'h264_vaapi', 'h264_v4l2m2m'] as const;
export type LadderEncoder = (typeof ladderEncoders)[number];

/** Of the encoder in software, the fastest first. */
export const ladderSpeeds = ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast'] as const;
export type LadderSpeed = (typeof ladderSpeeds)[number];

/** What the steps are made of before anybody changes them: rows of pixels, frames per second (0: as the source), kbit/s. */
export const ladderPresets = [
  { height: 1_080, fps: 0, kbps: 4_500 },
  { height: 720, fps: 0, kbps: 2_500 },
  { height: 480, fps: 0, kbps: 1_100 },
  { height: 360, fps: 0, kbps: 650 },
] as const;

export const ladderRules = {
  /** Of the shorter side, even; below, nobody recognises anything. */
  height: { min: 144, max: 2_160 },
  fps: { min: 5, max: 60 },
  kbps: { min: 100, max: 20_000 },
  audioKbps: { min: 32, max: 192 },
  /** Time without a viewer after which a ladder that runs on demand ends: below, a player that changes its step would end it. */
  idleSeconds: { min: 15, max: 3_600 },
  /** Ladders at one time. */
  maxRunning: { min: 1, max: 64 },
} as const;

/** Pictures beside the source and the sound: each is an encoder of its own. */
export const maxLadderSteps = 6;
/** Streams or patterns a ladder is for. */
export const maxLadderPatterns = 100;

/** Why a step of the settings is not made for a source. */
export const leftOutReasons = ['larger-than-source', 'as-source', 'no-picture', 'no-sound', 'codec'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];
