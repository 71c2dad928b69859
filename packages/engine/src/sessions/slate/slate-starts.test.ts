import type { AudioPacket, VideoPacket } from '@srs-stack/media/packet.ts';
import { aacTrack, audio, h264Track, video } from '@srs-stack/media/testing/media.ts';
import type { SlateOrder } from '@srs-stack/process/slate-orders.ts';
import { beforeEach, expect, it } from 'vitest';
import type { SlateMedia, SlateRule } from '../../hub/slate/slate-media.ts';
import { StreamHub } from '../../hub/stream-hub.ts';
import type { SessionInfo } from '../../session-info.ts';
import { publisherSession, RecordingReader, recordingLog } from '../../testing/recorders.ts';
import { Refusals } from '../gate/refusals.ts';
import { SlateStarts } from './slate-starts.ts';

const key = { vhost: '__defaultVhost__', app: 'live', stream: 's' };
const config = {
  gopCache: { maxBytes: 1e6, maxDurationMs: 30_000 },
  ...{ takeoverSilenceMs: 3000, firstPacketTimeoutMs: 20_000, publisherTimeoutMs: 30_000 },
};
const encoderVideo = { ...h264Track, width: 640, height: 360 };
const media: SlateMedia = {
  video: {
    packets: Array.from({ length: 50 }, (_, n) => video(n * 40, { keyframe: n === 0 })) as VideoPacket[],
    durationMs: 2000,
  },
  audio: {
    packets: Array.from({ length: 94 }, (_, n) => audio((n * 64) / 3, { track: aacTrack })) as AudioPacket[],
    durationMs: (94 * 64) / 3,
  },
};
const wallMs = 1_700_000_000_000;
const order: SlateOrder = {
  ...{ app: 'live', stream: 's', afterSeconds: 3, longestMinutes: 1, file: '/slate.ts' },
  start: { id: 'first', vhost: key.vhost, param: '?secret=x', untilMs: wallMs + 60_000 },
};

let now: number;
let hub: StreamHub;
let rule: SlateRule | undefined;
let reader: RecordingReader;
let hooks: string[];
let isAllowed: boolean;
let starts: SlateStarts;

beforeEach(() => {
  now = 1000;
  hooks = [];
  isAllowed = true;
  rule = { afterMs: 3000, longestMs: 60_000, media };
  const log = recordingLog();
  const onUnpublish = ({ type }: SessionInfo) => hooks.push(`unpublish ${type}`);
  const slates = { ruleFor: () => rule, onShow: () => undefined, onRelease: onUnpublish };
  hub = new StreamHub({ config, log, clock: () => now, slates });
  reader = new RecordingReader();
  hub.attach(key, reader);
  const ports = {
    isValidStream: () => true,
    authorizePublish: async ({ type, param }: SessionInfo) => {
      hooks.push(`publish ${type} ${param}`);
      return isAllowed
        ? ({ allowed: true } as const)
        : ({ allowed: false, reason: 'callback-refused', detail: 'no' } as const);
    },
    onUnpublish: (session: SessionInfo) => void (hub.holds(session) || onUnpublish(session)),
  };
  const gate = { hub, ports, refusals: new Refusals(log, () => wallMs), clock: () => now };
  starts = new SlateStarts({ gate, mediaFor: () => rule?.media, log, wallClock: () => wallMs });
});

function advance(ms: number): void {
  for (const end = now + ms; now < end; now += 20) {
    if (now % 240 === 0) hub.tick(now);
    hub.showSlates(now);
  }
}

function publishEncoder() {
  const closed: string[] = [];
  const session = publisherSession({ clientId: 'encoder1' });
  const result = hub.publish(session, { close: (reason) => void closed.push(reason) }, now);
  if (!result.ok) throw new Error(result.detail);
  return { publication: result.publication, closed };
}

const isLive = () => hub.isPublished(key);
const videoPackets = () => reader.packets.filter(({ track }) => track.kind === 'video');

it('starts a stream with its slate, which the encoder replaces at its first keyframe', async () => {
  await starts.configure([order]);
  expect(hooks).toEqual(['publish slate-publish ?secret=x']);
  advance(5_000);
  expect(videoPackets().length).toBeGreaterThan(120);
  expect(hub.streams(now)[0]).toMatchObject({ stream: 's', slateForMs: 5_000 });
  const { publication } = publishEncoder();
  expect(hooks).toEqual(['publish slate-publish ?secret=x', 'unpublish slate-publish']);
  publication.push(video(0, { track: encoderVideo }));
  advance(500);
  expect(videoPackets().at(-1)!.track).toBe(h264Track);
  publication.push(video(40, { track: encoderVideo, keyframe: true }));
  expect(videoPackets().at(-1)).toMatchObject({ track: encoderVideo, keyframe: true });
  expect(hub.streams(now)[0]!.slateForMs).toBeUndefined();
  expect(reader.events.filter((event) => event.startsWith('end'))).toEqual([]);
  const times = videoPackets().map(({ dtsMs }) => dtsMs);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

it('ends with the slate after its maximum time, and is not restarted', async () => {
  await starts.configure([order]);
  advance(61_000);
  expect(isLive()).toBe(false);
  expect(hooks.at(-1)).toBe('unpublish slate-publish');
  await starts.configure([order]);
  expect(isLive()).toBe(false);
  await starts.configure([{ ...order, start: { ...order.start!, id: 'second' } }]);
  expect(isLive()).toBe(true);
});

it('ends when its order is withdrawn', async () => {
  await starts.configure([order]);
  rule = undefined;
  await starts.configure([]);
  advance(500);
  expect(isLive()).toBe(false);
  expect(hooks.at(-1)).toBe('unpublish slate-publish');
});

it('ends when the operator disconnects it', async () => {
  await starts.configure([order]);
  expect(hub.kick(hub.clients(now)[0]!.session.clientId)).toBe(true);
  advance(500);
  expect(isLive()).toBe(false);
});

it('does not start a stream that is live, that is refused, whose time is over, or whose file is unreadable', async () => {
  const { publication } = publishEncoder();
  await starts.configure([order]);
  expect(hooks).toEqual([]);
  publication.end('unpublished');
  rule = undefined;
  advance(30_000);
  rule = { afterMs: 3000, longestMs: 60_000, media };
  isAllowed = false;
  await starts.configure([{ ...order, start: { ...order.start!, id: 'refused' } }]);
  expect(isLive()).toBe(false);
  isAllowed = true;
  await starts.configure([{ ...order, start: { ...order.start!, id: 'late', untilMs: wallMs } }]);
  expect(isLive()).toBe(false);
  rule = undefined;
  await starts.configure([{ ...order, start: { ...order.start!, id: 'no file' } }]);
  expect(isLive()).toBe(false);
});
