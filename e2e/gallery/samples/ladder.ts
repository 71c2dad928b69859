// The ladder of renditions: the cost of each rendition on two processors, and a running ladder.
import {
  type LadderConfig,
  type LadderCosts,
  type LadderTask,
  ladderConfig,
  type RenditionRow,
} from '@srs-stack/contract';
import { worker } from './workers.ts';

export const ladderOff: LadderConfig = ladderConfig.parse({});
export const ladderOn: LadderConfig = {
  ...ladderOff,
  enabled: true,
  streams: ['live/*'],
  steps: ladderOff.steps.filter(({ height }) => height < 1_080),
};

export const ladderCosts: LadderCosts = {
  cores: 2,
  isMeasuring: false,
  encoders: [
    { encoder: 'libx264', isUsable: true, why: '' },
    { encoder: 'h264_nvenc', isUsable: false, why: 'Cannot load libcuda.so.1' },
    { encoder: 'h264_qsv', isUsable: false, why: 'Error creating a MFX session' },
    { encoder: 'h264_vaapi', isUsable: false, why: 'Device creation failed: -22.' },
    { encoder: 'h264_v4l2m2m', isUsable: false, why: 'Could not find a valid device' },
  ],
  encoder: 'libx264',
  speed: 'veryfast',
  sourceHeight: 1_080,
  decodeCores: 0.09,
  steps: [
    { height: 1_080, fps: 0, cores: 0.62 },
    { height: 720, fps: 0, cores: 0.33 },
    { height: 480, fps: 0, cores: 0.22 },
    { height: 360, fps: 0, cores: 0.17 },
  ],
  proposal: { encoder: 'libx264', speed: 'veryfast', heights: [720, 480, 360] },
};

const rendition = (step: string, [width, height, kbps, viewers]: readonly number[]): RenditionRow => ({
  step,
  width: width ?? 0,
  height: height ?? 0,
  fps: height ? 30 : 0,
  kbps: kbps ?? 0,
  codecs: height ? 'avc1.64001f,mp4a.40.2' : 'mp4a.40.2',
  viewers: viewers ?? 0,
  isLive: true,
});

export const ladderTask: LadderTask = {
  ...worker('running', { cpuPercent: 81.5 }),
  url: 'live/livestream',
  app: 'live',
  stream: 'livestream',
  playlist: '/live/livestream/master.m3u8',
  renditions: [
    rendition('source', [1920, 1080, 6_120, 14]),
    rendition('720p', [1280, 720, 2_540, 31]),
    rendition('480p', [854, 480, 1_180, 9]),
    rendition('360p', [640, 360, 720, 4]),
    rendition('audio', [0, 0, 66, 1]),
  ],
  leftOut: [],
  speed: 1,
  isTooSlow: false,
  start: '2026-03-08T11:12:55Z',
  ready: '2026-03-08T11:12:57Z',
  frame: { log: 'frame=111690 fps= 30 time=01:02:03.00 bitrate=N/A speed=   1x', update: '2026-03-08T12:14:58Z' },
};

export const slowTask: LadderTask = {
  ...ladderTask,
  cpuPercent: 193,
  speed: 0.74,
  isTooSlow: true,
  leftOut: [{ step: '1080p', reason: 'as-source' }],
};

export const waitingTask: LadderTask = {
  ...ladderTask,
  ...worker('error', {
    reason: 'settings-invalid',
    reasonDetail: 'the source has no video to scale down',
    detail: { key: 'ladder-no-picture', values: {} },
  }),
  renditions: [],
  speed: 0,
};
