// Selectable validity periods of a link that opens a protected stream.
const hour = 3_600;

/** Validity period, seconds. */
export const secondsOfLife = {
  hour,
  day: 24 * hour,
  week: 7 * 24 * hour,
  month: 30 * 24 * hour,
  year: 365 * 24 * hour,
} as const;
export type LinkLife = keyof typeof secondsOfLife;
export const linkLives = Object.keys(secondsOfLife) as LinkLife[];
