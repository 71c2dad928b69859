// Formats the progress of a push like FFmpeg's status line, which consoles and scripts parse: `frame= fps= size= time= bitrate= speed=`.
import type { TransferRow } from './engine-transfers.ts';

/** Returns the status line; empty before the first sent byte. */
export function progressLine(row: TransferRow): string {
  const { sentBytes, sentFrames, droppedFrames, mediaMs, publishingMs = 0 } = row;
  if (sentBytes === 0 || publishingMs === 0) return '';
  const fps = (sentFrames * 1_000) / publishingMs;
  const kilobits = mediaMs > 0 ? (sentBytes * 8) / mediaMs : 0;
  const size = `size=${String(Math.round(sentBytes / 1_024)).padStart(8)}kB`;
  const rate = `bitrate=${kilobits.toFixed(1).padStart(6)}kbits/s`;
  const dropped = droppedFrames > 0 ? ` drop=${droppedFrames}` : '';
  const frames = `frame=${String(sentFrames).padStart(5)} fps=${fps.toFixed(fps < 10 ? 1 : 0).padStart(3)} q=-1.0`;
  return `${frames} ${size} time=${clockTime(mediaMs)} ${rate}${dropped} speed=${speedText(mediaMs / publishingMs)}x`;
}

function clockTime(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 10));
  const parts = [Math.floor(whole / 360_000), Math.floor(whole / 6_000) % 60, Math.floor(whole / 100) % 60];
  return `${parts.map(twoDigits).join(':')}.${twoDigits(whole % 100)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function speedText(speed: number): string {
  return speed.toPrecision(3).replace(/e\+\d+$/, '');
}
