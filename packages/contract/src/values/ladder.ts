/** The software encoder comes first. A hardware encoder can be selected after a successful test encode. */
export const ladderEncoders = ['libx264', 'h264_nvenc', 'h264_qsv', 'h264_vaapi', 'h264_v4l2m2m'] as const;
export type LadderEncoder = (typeof ladderEncoders)[number];

/** Presets of the software encoder, the fastest first. */
export const ladderSpeeds = ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast'] as const;
export type LadderSpeed = (typeof ladderSpeeds)[number];

/** Default renditions. `height` in pixels; `fps` 0: frame rate of the source; `kbps` in kbit/s. */
export const ladderPresets = [
  { height: 1_080, fps: 0, kbps: 4_500 },
  { height: 720, fps: 0, kbps: 2_500 },
  { height: 480, fps: 0, kbps: 1_100 },
  { height: 360, fps: 0, kbps: 650 },
] as const;

export const ladderRules = {
  /** Pixels of the shorter side, even. Details are not recognizable below the minimum. */
  height: { min: 144, max: 2_160 },
  fps: { min: 5, max: 60 },
  kbps: { min: 100, max: 20_000 },
  audioKbps: { min: 32, max: 192 },
  /** An on-demand ladder stops after this time without viewers, seconds. The minimum is longer than a player needs to switch renditions. */
  idleSeconds: { min: 15, max: 3_600 },
  maxRunning: { min: 1, max: 64 },
} as const;

/** Maximum number of video renditions besides the source. Each rendition has its own encoder. */
export const maxLadderSteps = 6;
/** Maximum number of streams or patterns of a ladder. */
export const maxLadderPatterns = 100;

export const leftOutReasons = ['larger-than-source', 'as-source', 'no-picture', 'no-sound', 'codec'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];
