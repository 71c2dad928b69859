// The first page: completed steps, tutorial videos, the demo stream.
import type { FirstSteps, VideoFacts } from '@srs-stack/contract';
import { worker } from './workers.ts';

export const firstSteps: FirstSteps = {
  password: true,
  publish: true,
  play: false,
  https: false,
  record: false,
  forward: false,
};
export const firstStepsDone: FirstSteps = {
  password: true,
  publish: true,
  play: true,
  https: true,
  record: true,
  forward: true,
};
export const video: VideoFacts = {
  title: '起步、购买和入门',
  desc: '如何在一台云服务器上搭建自己的直播间。',
  stat: { view: 128_400, like: 3_210, share: 842 },
};

const demo = { app: 'live', stream: 'demo' };
export const demoOff = { ...demo, enabled: false, stopsAt: '', ...worker('idle') };
export const demoOn = { ...demo, enabled: true, stopsAt: '2026-03-08T12:41:00Z', ...worker('running') };
export const demoStarting = { ...demoOn, ...worker('starting') };
export const demoFailed = { ...demoOn, ...worker('retrying', { reason: 'ffmpeg-missing' }) };
