// Settings of slates: switched off, and switched on for streams in every state.
import type { endpoints, ResponseOf } from '@srs-stack/contract';
import { revision } from './revision.ts';

type Slates = ResponseOf<typeof endpoints.querySlates>;

export const slatesOff: Slates = {
  ...{ enabled: false, patterns: [], afterSeconds: 3, longestMinutes: 10, image: '', streams: [], revision },
  content: 'image',
  ...{ clip: '', clipName: '', blur: false, title: '', text: '', isClipMissing: false },
  starts: [],
  ...{ backups: [], backupsOnAir: [] },
};

const stateOf = (stream: string, state: 'preparing' | 'ready' | 'failed' | 'unsupported') => ({
  ...{ app: 'live', stream, state },
});

export const slatesOn: Slates = {
  ...slatesOff,
  ...{ enabled: true, patterns: ['live/*'], image: '0f1e2d3c' },
  backups: [{ stream: 'live/stage', backup: 'live/stage-phone' }],
  backupsOnAir: [{ stream: 'live/stage', onAirMs: 41_000 }],
  streams: [
    { ...stateOf('livestream', 'ready'), onAirMs: 95_000 },
    { ...stateOf('camera-2', 'ready'), clipProgress: 0.6 },
    { ...stateOf('camera-3', 'preparing'), progress: 0.4 },
    { ...stateOf('phone', 'failed'), failure: '[libx264 @ 0x55d0] width not divisible by 2 (853x481)' },
    stateOf('radio', 'unsupported'),
  ],
};

export const slatesWithClip: Slates = {
  ...slatesOn,
  content: 'clip',
  ...{ clip: 'vlive/a1.mp4', clipName: 'countdown.mp4', isClipMissing: true },
  ...{ title: 'We will be right back', text: 'The show continues in a moment' },
  starts: [
    { app: 'live', stream: 'evening-show', state: 'on-air', onAirMs: 125_000 },
    { app: 'live', stream: 'late-show', state: 'preparing', progress: 0.3 },
    {
      ...{ app: 'live', stream: 'night-show', state: 'failed' },
      failure: 'the media server did not start the stream',
      reason: { key: 'slate.not-begun', values: {} },
    },
  ],
};

export const slateImage = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720"><rect width="1280" height="720" fill="#123047"/><circle cx="640" cy="360" r="190" fill="#2f7f96"/><rect x="250" y="600" width="780" height="40" fill="#e8eef2"/></svg>',
).toString('base64')}`;
