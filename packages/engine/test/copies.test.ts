// Two hubs in one process act as two gateways: one publishes streams, and the other copies streams that have viewers.
import { duplexPair } from 'node:stream';
import { audioTrackFromConfig } from '@srs-stack/media/codecs/audio-track.ts';
import { writeOpusConfig } from '@srs-stack/media/codecs/opus.ts';
import { aacTrack, audio, keyframe, video } from '@srs-stack/media/testing/media.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { StreamHub } from '../src/hub/stream-hub.ts';
import type { EnginePorts, StreamOrigins } from '../src/ports.ts';
import { Copies } from '../src/sessions/copy/copies.ts';
import { CopySender } from '../src/sessions/copy/copy-sender.ts';
import { PlayGate } from '../src/sessions/gate/play-gate.ts';
import { admitPublisher } from '../src/sessions/gate/publish-gate.ts';
import { Refusals } from '../src/sessions/gate/refusals.ts';
import { publisherSession, RecordingReader, recordingLog } from '../src/testing/recorders.ts';

const config = {
  gopCache: { maxBytes: 1e6, maxDurationMs: 30_000 },
  viewerQueue: { maxBytes: 1e6, maxDurationMs: 8_000 },
  takeoverSilenceMs: 3_000,
  firstPacketTimeoutMs: 20_000,
  publisherTimeoutMs: 15_000,
} as ConstructorParameters<typeof CopySender>[0]['config'];
const key = { vhost: '__defaultVhost__', app: 'live', stream: 's' };
const viewer = publisherSession({ type: 'flv-play', clientId: 'view0001' });

let now: number;
let origin: StreamHub;
let edge: StreamHub;
let copies: Copies;
let gate: PlayGate;
let ports: EnginePorts;
/** The streams of the origin as the edge sees them. */
let published: Map<string, number>;
let appeared: ((streamKey: typeof key) => void)[];
let pulls: { destroy(): void }[];

beforeEach(() => {
  now = 1_000;
  published = new Map();
  appeared = [];
  pulls = [];
  const log = recordingLog();
  const clock = () => now;
  origin = new StreamHub({ config, log, clock });
  edge = new StreamHub({ config, log, clock });
  const sender = new CopySender({ hub: origin, config, clock });
  origin.onStreamStart(({ key: { stream } }) => {
    published.set(stream, now);
    for (const notify of appeared) notify({ ...key, stream });
  });
  origin.onStreamEnd(({ key: { stream } }) => published.delete(stream));
  const origins: StreamOrigins = {
    publishedSince: ({ stream }) => published.get(stream),
    isRemote: () => false,
    whenKnown: async () => undefined,
    onAppear: (listener) => {
      appeared.push(listener);
      return () => undefined;
    },
    pull: async (wanted) => {
      const [near, far] = duplexPair();
      near.once('close', () => far.destroy());
      far.once('close', () => near.destroy());
      pulls.push(far);
      if (!sender.send(wanted, () => near)) throw new Error('gone');
      return far;
    },
    isSending: async (wanted) => origin.isSending(wanted, now),
    takeOver: async (wanted) => origin.yieldStream(wanted, now),
    requestKeyframe: (wanted) => origin.requestKeyframe(wanted),
    forward: () => false,
    countSent: () => undefined,
  };
  const onFault = (error: unknown) => {
    throw error;
  };
  ports = {
    log,
    origins,
    isValidStream: () => true,
    authorizePublish: async () => ({ allowed: true }),
    authorizePlay: async () => ({ allowed: true }),
    onUnpublish: () => undefined,
    onStop: () => undefined,
    onHlsSegment: () => undefined,
  };
  copies = new Copies({ hub: edge, origins, log, onFault, clock });
  gate = new PlayGate({ hub: edge, ports, refusals: new Refusals(log, Date.now), copies, maxConnections: 10 });
});

function publish(hub = origin, clientId = 'pub00001') {
  const closed: string[] = [];
  const owner = { close: (reason: string) => closed.push(reason), requestKeyframe: () => closed.push('keyframe') };
  const result = hub.publish(publisherSession({ clientId }), owner, now);
  if (!result.ok) throw new Error(result.detail);
  return { publication: result.publication, closed };
}

const terms = { waitsForPublisher: false, obstacleTo: () => undefined };
/** Waits until bytes have passed through a pair of streams. */
const settle = async () => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
};

function advance(ms: number): void {
  for (const end = now + ms; now < end; ) {
    now += 250;
    edge.tick(now);
    copies.tick(now);
  }
}

async function watch(reader = new RecordingReader()) {
  const admission = await gate.admit(viewer, terms);
  if (!admission.ok) throw new Error(admission.detail);
  const subscription = edge.attach(key, reader, { fromGopCache: true });
  return { reader, subscription, play: admission.play };
}

describe('a stream of another gateway', () => {
  it('starts with its first viewer, from the last keyframe on, and once for all', async () => {
    const { publication } = publish();
    for (const packet of [keyframe(0), audio(10), keyframe(2_000), audio(2_010), video(2_040)])
      publication.push(packet);
    const first = await watch();
    await settle();
    expect(first.reader.times('video')).toEqual([2_000, 2_040]);
    expect(edge.find(key)).toMatchObject({ video: { codec: 'h264', width: 1920 }, audio: { sampleRate: 48_000 } });
    const second = await watch();
    publication.push(video(2_080));
    await settle();
    expect(second.reader.times('video')).toEqual([2_000, 2_040, 2_080]);
    expect(pulls).toHaveLength(1);
  });

  it('arrives as the publisher sends it: composition times, payloads, audio of any codec', async () => {
    const opus = audioTrackFromConfig('opus', writeOpusConfig(2));
    const { publication } = publish();
    publication.setMetadata({ title: 'Match' });
    publication.push(keyframe(0, { compositionMs: 80, bytes: 90_000 }));
    publication.push(audio(3, { track: opus }));
    const { reader } = await watch();
    publication.push(video(40, { compositionMs: 0 }));
    publication.push(audio(23, { track: opus }));
    await settle();
    const audioPackets = reader.packets.filter(({ track }) => track.kind === 'audio');
    const videoPackets = reader.packets.filter(({ track }) => track.kind === 'video');
    expect(videoPackets.map(({ dtsMs, ptsMs, payload }) => [dtsMs, ptsMs, payload.length])).toEqual([
      [0, 80, 90_000],
      [40, 40, 8],
    ]);
    expect(videoPackets[0]?.payload).toEqual(keyframe(0, { bytes: 90_000 }).payload);
    expect(audioPackets.map(({ dtsMs, track }) => [dtsMs, track.codec])).toEqual([
      [3, 'opus'],
      [23, 'opus'],
    ]);
    expect(edge.find(key)?.metadata).toMatchObject({ title: 'Match' });
  });

  it('is not pulled for a viewer the host refuses, nor for an unpublished name', async () => {
    publish().publication.push(keyframe(0));
    const refusing = {
      ...ports,
      authorizePlay: async () => ({ allowed: false, reason: 'callback-refused', detail: '' }) as const,
    };
    const closed = new PlayGate({
      hub: edge,
      ports: refusing,
      refusals: new Refusals(ports.log, Date.now),
      copies,
      maxConnections: 10,
    });
    expect(await closed.admit(viewer, terms)).toMatchObject({ ok: false, reason: 'callback-refused' });
    expect(await gate.admit({ ...viewer, stream: 'other' }, terms)).toMatchObject({ rule: 'existence' });
    expect(pulls).toEqual([]);
  });

  it('is not played by a viewer whose authorization was revoked during the pull', async () => {
    publish().publication.push(keyframe(0));
    const stopped: string[] = [];
    const changing: EnginePorts = {
      ...ports,
      reviewPlay: () => ({ allowed: false, reason: 'link-wrong', detail: 'the key was revoked' }),
      onStop: ({ clientId }) => stopped.push(clientId),
    };
    const refusals = new Refusals(ports.log, Date.now);
    const changed = new PlayGate({ hub: edge, ports: changing, refusals, copies, maxConnections: 10 });
    expect(await changed.admit(viewer, terms)).toMatchObject({
      ok: false,
      rule: 'host',
      detail: 'the key was revoked',
    });
    expect([stopped, refusals.all().length]).toEqual([[viewer.clientId], 1]);
    // The stream is already at the edge, so `reviewPlay` is not called.
    expect(edge.isPublished(key)).toBe(true);
    expect(await changed.admit(viewer, terms)).toMatchObject({ ok: true });
  });

  it('is checked for obstacles when it has arrived', async () => {
    publish().publication.push(keyframe(0));
    const unsupported = { kind: 'unsupported', detail: 'no h264', codec: 'h264' } as const;
    const picky = {
      waitsForPublisher: false,
      obstacleTo: (stream?: { video?: unknown }) => (stream?.video ? unsupported : undefined),
    };
    expect(await gate.admit(viewer, picky)).toMatchObject({ ok: false, rule: 'unsupported', codec: 'h264' });
  });

  it('ends ten seconds after the last viewer', async () => {
    publish().publication.push(keyframe(0));
    const { subscription } = await watch();
    subscription.detach();
    advance(9_500);
    expect(edge.isPublished(key)).toBe(true);
    advance(1_000);
    await settle();
    expect([edge.isPublished(key), edge.find(key), origin.find(key)?.readerCount]).toEqual([false, undefined, 0]);
  });

  it('stays while it has viewers, however long', async () => {
    const { publication } = publish();
    publication.push(keyframe(0));
    const { reader } = await watch();
    for (let t = 1; t <= 30; t++) {
      publication.push(keyframe(t * 1_000));
      await settle();
      advance(1_000);
    }
    expect(reader.times()).toHaveLength(31);
  });

  it('does not appear as a stream, client or connection', async () => {
    publish().publication.push(keyframe(0));
    const { play } = await watch();
    expect([edge.streams(now), edge.clients(now), edge.connectionCount]).toEqual([[], [], 0]);
    play.start({ close: () => undefined, stats: () => ({ droppedFrames: 0, queuedBytes: 0 }) });
    expect(edge.streams(now)).toMatchObject([
      { publisher: undefined, clients: 1, receivedBytes: 0, publishedForMs: 0 },
    ]);
    expect([edge.clients(now).length, edge.connectionCount, edge.totals().receivedBytes]).toEqual([1, 1, 0]);
    expect([origin.clients(now).length, origin.connectionCount]).toEqual([1, 1]);
  });

  it('gives viewers its end reason, and they wait for its publisher as for a local one', async () => {
    const { publication } = publish();
    publication.push(keyframe(0));
    const { reader } = await watch();
    publication.push(video(40));
    publication.end('unpublished');
    await settle();
    expect(reader.times()).toEqual([0, 40]);
    advance(9_750);
    expect(reader.events).toEqual([]);
    advance(500);
    expect(reader.events).toEqual(['end unpublished']);
  });

  it('continues when its publisher returns, at either gateway', async () => {
    const first = publish();
    first.publication.push(keyframe(0));
    const { reader } = await watch();
    first.publication.end('error');
    await settle();
    publish(origin, 'pub00002').publication.push(keyframe(0));
    await settle();
    expect(reader.times()).toHaveLength(2);
    expect(pulls).toHaveLength(2);
  });

  it('is pulled again when the connection between the gateways breaks', async () => {
    const { publication } = publish();
    publication.push(keyframe(0));
    const { reader } = await watch();
    pulls[0]?.destroy();
    await settle();
    advance(250);
    await settle();
    publication.push(keyframe(2_000));
    await settle();
    expect(pulls).toHaveLength(2);
    expect(reader.events).toEqual(['publisher']);
    expect(reader.times().at(-1)).toBeGreaterThan(0);
  });

  it('forwards keyframe requests to the publisher', async () => {
    const { publication, closed } = publish();
    publication.push(keyframe(0));
    await watch();
    edge.requestKeyframe(key);
    expect(closed).toEqual(['keyframe']);
  });

  it('is replaced by a local publisher, and its HLS starts', async () => {
    const { publication } = publish();
    publication.push(keyframe(0));
    const { reader } = await watch();
    const started: string[] = [];
    edge.onStreamStart(({ publisher }) => started.push(publisher?.clientId ?? ''));
    publication.end('error');
    publish(edge, 'pub00002').publication.push(keyframe(0));
    await settle();
    expect(started).toEqual(['pub00002']);
    expect(edge.find(key)?.publisher?.clientId).toBe('pub00002');
    expect(reader.times()).toHaveLength(2);
  });

  it.each([
    ['refused while its publisher sends', 1_000, { ok: false, reason: 'stream-busy' }, []],
    ['taken over when its publisher is silent', 3_000, { ok: true }, ['replaced']],
  ])('is %s', async (_title, silentMs, expected, ends) => {
    const { publication, closed } = publish();
    publication.push(keyframe(0));
    now += silentMs;
    const refusals = new Refusals(ports.log, Date.now);
    const owner = { close: () => undefined };
    const session = publisherSession({ clientId: 'pub00002' });
    expect(await admitPublisher(session, owner, { hub: edge, ports, refusals, clock: () => now })).toMatchObject(
      expected,
    );
    expect(closed).toEqual(ends);
  });
});

it('a publisher is refused when another gateway gets one during the call of the host', async () => {
  const endedIds: string[] = [];
  const verdict = Promise.withResolvers<{ allowed: true }>();
  ports = { ...ports, authorizePublish: () => verdict.promise, onUnpublish: ({ clientId }) => endedIds.push(clientId) };
  const refusals = new Refusals(ports.log, Date.now);
  const session = publisherSession({ clientId: 'pub00002' });
  const owner = { close: () => undefined };
  const result = admitPublisher(session, owner, { hub: edge, ports, refusals, clock: () => now });
  await settle();
  publish().publication.push(keyframe(0));
  verdict.resolve({ allowed: true });
  expect(await result).toMatchObject({ ok: false, reason: 'stream-busy' });
  expect([endedIds, edge.isPublished(key)]).toEqual([['pub00002'], false]);
});

it('a viewer waits only briefly for a gateway that hangs', async () => {
  publish().publication.push(keyframe(0));
  ports.origins!.pull = () => new Promise(() => undefined);
  expect(await gate.admit(viewer, terms)).toMatchObject({ ok: false, rule: 'existence' });
});

it('audio only is copied too', async () => {
  const { publication } = publish();
  for (let t = 0; t < 3_000; t += 20) publication.push(audio(t, { track: aacTrack }));
  const { reader } = await watch();
  await settle();
  expect(reader.times().length).toBeGreaterThan(10);
});
