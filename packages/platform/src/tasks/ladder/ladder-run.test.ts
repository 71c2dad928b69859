import { ladderConfig } from '@srs-stack/contract';
import { expect, it, test } from 'vitest';
import type { MediaServerStream } from '../../media-server/media-server.ts';
import { isForOther, type LadderRunOptions, planLadderRun, planOf } from './ladder-run.ts';

const video = { codec: 'H264', profile: '', level: '', width: 1280, height: 720 };
const audio = { codec: 'AAC', sampleRate: 48_000, channels: 2, profile: 'LC' };
const details = {
  ...{ protocol: 'rtmp', ip: '127.0.0.1', hasMedia: true, fps: 30, keyframeIntervalMs: 2_000, bitrateHistoryKbps: [] },
  publishedForMs: 3_000,
};
const row = (changes: Partial<MediaServerStream> = {}): MediaServerStream => ({
  ...{ id: 'vid-1', vhost: '__defaultVhost__', app: 'live', stream: 'x', isPublished: true, publisherClientId: 'pub' },
  ...{ clients: 1, receivedBytes: 0, sentBytes: 0, receivedKbps: 4_000, video, audio, details },
  ...changes,
});
const source = {
  ...{ vhost: '__defaultVhost__', app: 'live', stream: 'x', url: 'live/x', videoCodec: 'H264' },
  ...{ address: 'rtmp://127.0.0.1:1935/live/x?watch=opens', secrets: ['opens'] },
};
const plan = (changes: Partial<LadderRunOptions> = {}) =>
  planLadderRun({
    ...{ app: 'live', stream: 'x', config: ladderConfig.parse({ enabled: true }), streams: [row()], rtmpPort: 1935 },
    ...{ choice: { kind: 'found', source }, key: { text: 'ladder=key', secret: 'key' }, isLive: async () => true },
    ...changes,
  });

it.each<[string, Partial<LadderRunOptions>, string]>([
  ['no media server', { streams: undefined }, 'media-server-away'],
  ['a media server that does not respond', { choice: { kind: 'away' } }, 'media-server-away'],
  ['no RTMP', { rtmpPort: null }, 'media-server-without-rtmp'],
  ['no source', { choice: { kind: 'none' } }, 'stream-not-live'],
  ['a source that has ended meanwhile', { streams: [row({ isPublished: false })] }, 'stream-not-live'],
  ['only a rendition of the source', { streams: [row({ stream: 'x~720p' })] }, 'stream-not-live'],
  [
    'less than three seconds of media',
    { streams: [row({ details: { ...details, publishedForMs: 2_999 } })] },
    'source-measured',
  ],
  ['video of unknown size', { streams: [row({ video: { ...video, width: 0 } })] }, 'source-measured'],
])('waits with %s', (_name, changes, key) => {
  expect(plan(changes)).toMatchObject({ kind: 'wait', detail: { key } });
});

it.each([
  ['an audio-only source', row({ video: null }), 'ladder-no-picture'],
  ['video smaller than every rendition', row({ video: { ...video, width: 160, height: 90 } }), 'ladder-no-step'],
] as const)('fails on %s, which only an operator can change', (_name, stream, key) => {
  expect(plan({ streams: [stream] })).toMatchObject({ kind: 'fail', needsOperator: true, detail: { key } });
});

test('every rendition is published beside the source with the key, which is never shown', () => {
  const result = plan();
  if (result.kind !== 'run') throw new Error(result.kind);
  const { args, secrets, facts } = result.plan;
  const steps = planOf(facts)!.renditions.map(({ step }) => step);
  expect(steps).toEqual(expect.arrayContaining(['source', '480p', 'audio']));
  const text = args.join(' ');
  for (const step of steps) expect(text).toContain(`rtmp://127.0.0.1:1935/live/x~${step}?ladder=key`);
  expect(text).toContain(source.address);
  expect(secrets).toEqual(['key', 'opens']);
});

test('a worker is outdated when codec or size change, but not when bitrate or frame rate do', () => {
  const result = plan();
  const facts = result.kind === 'run' ? result.plan.facts : undefined;
  expect(isForOther(facts, row({ receivedKbps: 900, details: { ...details, fps: 25 } }))).toBe(false);
  expect(isForOther(facts, row({ video: { ...video, height: 722 } }))).toBe(true);
  expect(isForOther(facts, row({ audio: null }))).toBe(true);
  // Without a run there is no outdated plan: the first run uses the current source.
  expect(isForOther(undefined, row())).toBe(false);
});
