// A bug ends only its session or output. All others continue, and the hub stays consistent.
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { audio, keyframe } from '@srs-stack/media/testing/media.ts';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { BroadcastViewer } from '../egress/broadcast/broadcast-viewer.ts';
import { createBroadcasts } from '../egress/broadcast/broadcasts.ts';
import { flvFormat } from '../egress/flv/flv-broadcast-format.ts';
import { publisherSession, RecordingReader, recordingLog } from '../testing/recorders.ts';
import { StreamHub } from './stream-hub.ts';

const config = {
  gopCache: { maxBytes: 1e6, maxDurationMs: 30_000 },
  takeoverSilenceMs: 3000,
  firstPacketTimeoutMs: 20_000,
  publisherTimeoutMs: 30_000,
};
const bug = new Error('planted');

let now: number;
let hub: StreamHub;
let faults: { error: unknown; fields: object }[];

beforeEach(() => {
  now = 1000;
  faults = [];
  const onFault = (error: unknown, fields: object) => faults.push({ error, fields });
  hub = new StreamHub({ config, log: recordingLog(), onFault, clock: () => now });
});

function publish(stream: string, owner: { close?: () => void; stats?: () => never } = {}) {
  const session = publisherSession({ clientId: `pub-${stream}`, stream });
  const result = hub.publish(session, { close: () => {}, ...owner }, now);
  if (!result.ok) throw new Error(result.detail);
  return result.publication;
}

it('a publisher that fails while it is replaced does not block the next one', () => {
  const close = () => {
    throw bug;
  };
  publish('a', { close }).push(keyframe(0));
  now += config.takeoverSilenceMs;
  const viewer = new RecordingReader();
  hub.attach(publisherSession({ stream: 'a' }), viewer);
  publish('a').push(keyframe(40));
  expect(viewer.times()).toHaveLength(1);
  expect(faults).toMatchObject([{ error: bug, fields: { clientId: 'pub-a', stream: 'a' } }]);
  expect(hub.findCorruption()).toBe(undefined);
});

it('a stream whose statistics fail loses its publisher; the timeouts of the others still apply', () => {
  const stats = () => {
    throw bug;
  };
  publish('a', { stats }).push(keyframe(0));
  const silent = publish('b');
  const lively = publish('c');
  now += config.firstPacketTimeoutMs;
  lively.push(keyframe(0));
  hub.tick(now);
  expect([hub.isPublished(silent.stream.key), hub.isPublished(lively.stream.key)]).toEqual([false, true]);
  expect(hub.isPublished(publisherSession({ stream: 'a' }))).toBe(false);
  expect(faults).toMatchObject([{ error: bug, fields: { stream: 'a' } }]);
  expect(hub.findCorruption()).toBe(undefined);
});

it('a viewer whose socket fails is ended alone', async () => {
  const broadcasts = createBroadcasts({
    hub,
    format: flvFormat,
    config: { mergeWindowMs: 0, gopCache: config.gopCache, viewerQueue: { maxBytes: 1e6, maxDurationMs: 8000 } },
    clock: () => now,
  });
  const publication = publish('a');
  for (const packet of [keyframe(0), audio(0)]) publication.push(packet);
  const join = (clientId: string) => {
    const socket: Duplex = new Duplex({
      read: () => {},
      write: (_chunk, _encoding, done) => {
        done();
        socket.emit('taken');
      },
    });
    const session = publisherSession({ clientId, stream: 'a', type: 'flv-play' });
    const player = hub.addPlayer(session, { close: () => {}, stats: () => ({ droppedFrames: 0, queuedBytes: 0 }) });
    const broadcast = broadcasts.of(player.stream);
    broadcast.addViewer(new BroadcastViewer({ socket, isFramed: false, player, now }));
    onTestFinished(() => broadcast.close());
    return socket;
  };
  const bad = join('bad');
  const good = join('good');
  bad.write = () => {
    throw bug;
  };
  publication.push(keyframe(40));
  await once(good, 'taken');
  expect([bad.destroyed, good.destroyed]).toEqual([true, false]);
  expect(faults).toMatchObject([{ error: bug, fields: { clientId: 'bad', reader: 'http-flv' } }]);
});

it('reports a table that does not match the streams', () => {
  const { stream } = publish('a');
  expect(hub.findCorruption()).toBe(undefined);
  stream.publisher = undefined;
  expect(hub.findCorruption()).toContain('live/a');
});
