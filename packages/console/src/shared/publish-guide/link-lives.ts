const hour = 3_600;

/** Validity periods of playback links, seconds. */
export const secondsOfLife = {
  hour,
  day: 24 * hour,
  week: 7 * 24 * hour,
  month: 30 * 24 * hour,
  year: 365 * 24 * hour,
} as const;
export type LinkLife = keyof typeof secondsOfLife;
export const linkLives = Object.keys(secondsOfLife) as LinkLife[];
