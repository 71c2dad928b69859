// Reads the clock of frame-clock.ts from the video element of a player page and returns the age of each displayed frame.
// The code runs in a browser page, so it has no imports.
import type { ClockLayout, ShownPicture } from './frame-clock.ts';

export interface VideoClockReading {
  readonly layout: ClockLayout;
  /** Playing time before the measurement, milliseconds. Players approach the live edge during this time. */
  readonly settleMs: number;
  readonly frames: number;
}

export interface VideoClockResult {
  readonly pictures: readonly ShownPicture[];
  /** Number of times that playback stopped for lack of media during the measurement. */
  readonly stalls: number;
}

// oxlint-disable-next-line max-lines-per-function -- the page gets it as one text, with nothing around it
export async function readVideoClock({ layout, settleMs, frames }: VideoClockReading): Promise<VideoClockResult> {
  const { columns, rows, blockPx, timeBits } = layout;
  /** Each block is scaled down to this width and height, pixels. Only the pixel in the middle is read. */
  const samplePx = 8;
  const range = 2 ** timeBits;
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  let video = document.querySelector('video');
  while (video === null || video.currentTime === 0 || video.paused) {
    await pause(100);
    video = document.querySelector('video');
  }
  const playing = video;
  await pause(settleMs);
  console.info('reading');
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [columns * samplePx, rows * samplePx];
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const readTime = (): number => {
    const scale = playing.videoWidth / layout.width;
    const [fromWidth, fromHeight] = [columns * blockPx * scale, rows * blockPx * scale];
    context.drawImage(playing, 0, 0, fromWidth, fromHeight, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const isSet = (bit: number): number => {
      const x = (bit % columns) * samplePx + samplePx / 2;
      const y = Math.floor(bit / columns) * samplePx + samplePx / 2;
      return data[(y * canvas.width + x) * 4 + 1]! > 127 ? 1 : 0;
    };
    let [time, check] = [0, 0];
    for (let bit = 0; bit < columns * rows; bit++) {
      if (bit < timeBits) time |= isSet(bit) << bit;
      else check |= isSet(bit) << (bit - timeBits);
    }
    return check === ((time ^ (time >> 8) ^ (time >> 16) ^ 0xa5) & 0xff) ? time : -1;
  };
  let stalls = 0;
  playing.addEventListener('waiting', () => {
    stalls += 1;
  });
  const pictures: ShownPicture[] = [];
  await new Promise<void>((resolve) => {
    const onFrame: VideoFrameRequestCallback = (_now, { expectedDisplayTime }) => {
      const shownAt = Date.now() + Math.max(0, expectedDisplayTime - performance.now());
      const drawnAt = readTime();
      const age = (((shownAt - drawnAt) % range) + range) % range;
      if (drawnAt >= 0) pictures.push({ drawnAt, latencyMs: age > range / 2 ? age - range : age });
      if (pictures.length >= frames) resolve();
      else playing.requestVideoFrameCallback(onFrame);
    };
    playing.requestVideoFrameCallback(onFrame);
  });
  return { pictures, stalls };
}
