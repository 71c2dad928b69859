// Playback quality: an hour of three output protocols. HLS viewers have stalls.
import type { ViewerOutput, ViewersHistory } from '@srs-stack/contract';
import { now } from './now.ts';

const minuteMs = 60_000;
const minutes = Array.from({ length: 60 }, (_, index) => index);
const wave = (mean: number, share = 0.2) =>
  minutes.map((minute) => Number((mean * (1 + share * Math.sin(minute / 7))).toPrecision(3)));

const figuresOf = (
  viewers: number,
  joinP50: number,
  stalledShare: number,
): ViewersHistory['streams'][number]['figures'] => ({
  ...{ viewers, joinP50, joinP95: joinP50 * 2.5, stalledShare, stallsPerHour: stalledShare * 40 },
  ...{
    receivedBps: 4_300_000,
    stalledReceivedBps: 2_100_000,
    delayP50: joinP50 * 2,
    delayP95: joinP50 * 4,
    droppedShare: 0.004,
  },
});

const outputOf = (output: ViewerOutput, viewers: number, joinP50: number, stalledShare: number, hasDelay = true) => ({
  ...{ output, viewers: wave(viewers), joinP50: wave(joinP50), joinP95: wave(joinP50 * 2.5) },
  ...{
    stalledShare: wave(stalledShare, 0.6),
    stallsPerHour: wave(stalledShare * 40, 0.6),
    receivedBps: wave(4_300_000, 0.05),
  },
  delayP50: hasDelay ? wave(joinP50 * 2) : minutes.map(() => null),
});

export const viewersHour: ViewersHistory = {
  viewerReports: true,
  range: '1h',
  fromMs: now.getTime() - 60 * minuteMs,
  toMs: now.getTime(),
  stepMs: minuteMs,
  timesMs: minutes.map((minute) => now.getTime() - (60 - minute) * minuteMs),
  outputs: [
    outputOf('webrtc', 41, 0.35, 0.02),
    outputOf('flv', 812, 0.6, 0.04, false),
    outputOf('hls', 431, 1.9, 0.25),
  ],
  streams: [
    { app: 'live', stream: 'livestream', output: 'flv', figures: figuresOf(812, 0.6, 0.04) },
    { app: 'live', stream: 'livestream', output: 'hls', figures: figuresOf(431, 1.9, 0.25) },
    { app: 'live', stream: 'lobby', output: 'webrtc', figures: figuresOf(41, 0.35, 0.02) },
  ],
};
export const viewersNone: ViewersHistory = { ...viewersHour, outputs: [], streams: [] };
