// Computes the current file of a looping playlist. Pure.
import type { MediaSource, VlivePlaying } from '@srs-stack/contract';

/**
 * The current file and the position in this file.
 * @param sentMs media time since the start of the first file, milliseconds.
 * @returns undefined if nothing was sent, or if a file has no duration, e.g. a live stream.
 */
export function playingAt(files: readonly MediaSource[], sentMs: number): VlivePlaying | undefined {
  const lengths = files.map(({ format }) => Number(format?.duration) * 1_000);
  if (lengths.length === 0 || sentMs <= 0 || !lengths.every((ms) => ms > 0)) return undefined;
  let positionMs = sentMs % lengths.reduce((sum, ms) => sum + ms, 0);
  let index = 0;
  while (index < lengths.length - 1 && positionMs >= (lengths[index] as number)) {
    positionMs -= lengths[index] as number;
    index += 1;
  }
  return {
    index,
    nextIndex: (index + 1) % lengths.length,
    positionMs: Math.round(positionMs),
    durationMs: Math.round(lengths[index] as number),
  };
}
