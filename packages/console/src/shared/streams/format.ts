/** Formats `1:02:03` or `2:03`; days count as hours. */
export function formatDuration(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000));
  const pad = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`;
}

/** One decimal below ten; whole numbers above, because a measured frame rate fluctuates. */
export function formatFps(fps: number): string {
  return String(Number(fps.toFixed(fps >= 10 ? 0 : 1)));
}

/** Formats a sample rate as `44.1 kHz`. */
export function formatSampleRate(hertz: number): string {
  return `${Number((hertz / 1000).toFixed(2))} kHz`;
}
