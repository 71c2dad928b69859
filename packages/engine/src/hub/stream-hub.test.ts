import { videoTrackFromConfig } from '@srs-stack/media/codecs/video-track.ts';
import { audio, h264Config, keyframe, video } from '@srs-stack/media/testing/media.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { publisherSession, RecordingReader, recordingLog } from '../testing/recorders.ts';
import type { Publication } from './publication.ts';
import { StreamHub } from './stream-hub.ts';
import type { StreamEndReason } from './stream-reader.ts';

const config = {
  gopCache: { maxBytes: 1e6, maxDurationMs: 30_000 },
  takeoverSilenceMs: 3000,
  firstPacketTimeoutMs: 20_000,
  publisherTimeoutMs: 30_000,
};
const key = { vhost: '__defaultVhost__', app: 'live', stream: 's' };

let now: number;
let hub: StreamHub;
let log: ReturnType<typeof recordingLog>;
let closed: string[];

beforeEach(() => {
  now = 1000;
  log = recordingLog();
  closed = [];
  hub = new StreamHub({ config, log, clock: () => now });
});

function tryPublish(clientId = 'pub00001') {
  const owner = { close: (reason: StreamEndReason) => closed.push(`${clientId} ${reason}`) };
  return hub.publish(publisherSession({ clientId }), owner, now);
}

function publish(clientId?: string): Publication {
  const result = tryPublish(clientId);
  if (!result.ok) throw new Error(result.detail);
  return result.publication;
}

function advance(ms: number): void {
  for (const end = now + ms; now < end; ) {
    now = Math.min(now + 250, end);
    hub.tick(now);
  }
}

describe('StreamHub', () => {
  it('delivers every packet to every reader and the last GOP to one that joins late', () => {
    const early = new RecordingReader();
    const late = new RecordingReader();
    const publication = publish();
    hub.attach(key, early);
    for (const packet of [keyframe(0), video(40), keyframe(80), audio(90)]) publication.push(packet);
    hub.attach(key, late, { fromGopCache: true });
    publication.push(video(120));
    expect(early.times()).toEqual([0, 40, 80, 90, 120]);
    expect(late.times()).toEqual([80, 90, 120]);
  });

  it('reads the publisher immediately for a reader that needs each packet, not for a patient one', () => {
    let reads = 0;
    const owner = { close: () => undefined, readNow: () => ++reads > 0 };
    const result = hub.publish(publisherSession({}), owner, now);
    const { stream } = hub.attach(key, Object.assign(new RecordingReader(), { isPatient: true }));
    expect([result.ok, reads, stream.isAwaited]).toEqual([true, 0, false]);
    const viewer = hub.attach(key, new RecordingReader());
    expect([reads, stream.isAwaited]).toEqual([1, true]);
    viewer.detach();
    expect(stream.isAwaited).toBe(false);
  });

  it('detaches a reader that throws and continues with the others', () => {
    const good = new RecordingReader();
    const bad = new RecordingReader();
    bad.onPacket = () => {
      throw new Error('broken');
    };
    const publication = publish();
    hub.attach(key, bad);
    hub.attach(key, good);
    publication.push(keyframe(0));
    publication.push(video(40));
    expect(good.times()).toEqual([0, 40]);
    expect(bad.events).toEqual(['end error']);
    expect(log.lines).toEqual(['error stream reader failed and was detached']);
  });

  it('refuses a second publisher while the first one sends', () => {
    publish().push(keyframe(0));
    now += 2999;
    expect(tryPublish('pub00002')).toMatchObject({ ok: false, reason: 'stream-busy' });
    expect(closed).toEqual([]);
  });

  it('lets a second publisher take over a silent one; readers stay and time continues', () => {
    const reader = new RecordingReader();
    const first = publish();
    hub.attach(key, reader);
    first.push(keyframe(0));
    first.push(video(40));
    now += 3000;
    const second = publish('pub00002');
    expect(closed).toEqual(['pub00001 replaced']);
    second.push(keyframe(500_000));
    first.push(video(80));
    expect(reader.times()).toEqual([0, 40, 80]);
    expect(reader.packets.at(-1)?.keyframe).toBe(true);
    expect(reader.events).toEqual(['publisher']);
  });

  it('keeps readers through a reconnect and starts them with a keyframe', () => {
    const reader = new RecordingReader();
    const first = publish();
    hub.attach(key, reader);
    first.push(keyframe(0));
    first.end('error');
    advance(5000);
    const second = publish('pub00002');
    second.push(video(900_000));
    second.push(keyframe(900_040));
    expect(reader.packets.map(({ keyframe: isKey }) => isKey)).toEqual([true, true]);
    expect(reader.events).toEqual(['publisher']);
  });

  it('ends readers when no publisher returns, later after a broken connection than after an unpublish', () => {
    const reader = new RecordingReader();
    publish().end('unpublished');
    hub.attach(key, reader);
    publish().end('unpublished');
    advance(9750);
    expect(reader.events.filter((event) => event.startsWith('end'))).toEqual([]);
    advance(500);
    expect(reader.events.at(-1)).toBe('end unpublished');
    hub.attach(key, reader);
    publish().end('error');
    advance(29_750);
    expect(reader.events.at(-1)).not.toBe('end error');
    advance(500);
    expect(reader.events.at(-1)).toBe('end error');
    expect(hub.find(key)).toBeUndefined();
  });

  it('delays the result for a second publisher until it is known whether the first is alive', async () => {
    const first = publish();
    first.push(keyframe(0));
    const results: string[] = [];
    await hub.whenPublishable(key, now);
    now += 1000;
    const waiting = hub.whenPublishable(key, now).then(() => results.push(tryPublish('pub00002').ok ? 'in' : 'busy'));
    advance(1500);
    await Promise.resolve();
    expect(results).toEqual([]);
    advance(500);
    await waiting;
    expect(results).toEqual(['in']);
  });

  it('refuses the second publisher as busy when the first one sends again', async () => {
    const first = publish();
    first.push(keyframe(0));
    now += 1000;
    const waiting = hub.whenPublishable(key, now).then(() => tryPublish('pub00002'));
    first.push(video(1000));
    advance(250);
    expect(await waiting).toMatchObject({ ok: false, reason: 'stream-busy' });
  });

  it('ends a publisher that never sends, and one that becomes silent', () => {
    publish('silent01');
    advance(20_000);
    expect(closed).toEqual(['silent01 timeout']);
    publish('silent02').push(keyframe(0));
    advance(29_750);
    expect(closed).toHaveLength(1);
    advance(250);
    expect(closed.at(-1)).toBe('silent02 timeout');
  });

  it('waits for a keyframe when the video configuration changes in mid-stream', () => {
    const reader = new RecordingReader();
    const changed = Buffer.from(h264Config);
    changed[3] = 0x1f;
    const track = videoTrackFromConfig('h264', changed);
    const publication = publish();
    hub.attach(key, reader);
    publication.push(keyframe(0));
    publication.setTrack(track);
    publication.push(video(40, { track }));
    publication.push(keyframe(80, { track }));
    expect(reader.times()).toEqual([0, 80]);
    expect(hub.find(key)?.video).toBe(track);
  });

  it('notifies observers of start and end, not of a takeover, and survives one that throws', () => {
    const seen: string[] = [];
    hub.onStreamStart(() => {
      throw new Error('broken observer');
    });
    const stop = hub.onStreamStart((stream) => seen.push(`start ${stream.key.stream}`));
    hub.onStreamEnd((_stream, reason) => seen.push(`end ${reason}`));
    publish().push(keyframe(0));
    now += 3000;
    publish('pub00002').end('unpublished');
    stop();
    publish('pub00003');
    expect(seen).toEqual(['start s', 'end unpublished']);
    expect(log.lines).toContain('error stream observer failed');
  });

  it('counts viewers by protocol and reports which were too slow recently', () => {
    publish();
    let droppedFrames = 0;
    const owner = (dropped: () => number) => ({
      close: () => {},
      stats: () => ({ droppedFrames: dropped(), queuedBytes: 0 }),
    });
    hub.addPlayer(
      publisherSession({ clientId: 'play0001', type: 'flv-play' }),
      owner(() => droppedFrames),
    );
    hub.addPlayer(
      publisherSession({ clientId: 'play0002', type: 'hls-play' }),
      owner(() => 0),
    );
    const slow = () => hub.streams(now)[0]?.slowViewers;
    expect(hub.streams(now)[0]).toMatchObject({ viewersByProtocol: { flv: 1, hls: 1 }, slowViewers: 0 });
    droppedFrames = 12;
    expect(slow()).toBe(1);
    now += 29_000;
    expect(slow()).toBe(1);
    now += 1_000;
    expect(slow()).toBe(0);
  });

  it('counts players, kicks them and publishers by id, and removes idle streams', () => {
    const publication = publish();
    const owner = { close: () => closed.push('player'), stats: () => ({ droppedFrames: 2, queuedBytes: 7 }) };
    const player = hub.addPlayer(publisherSession({ clientId: 'play0001', type: 'flv-play' }), owner);
    player.countSent(1000);
    publication.countReceived(500);
    now += 1000;
    hub.tick(now);
    expect(hub.totals()).toEqual({ receivedBytes: 500, sentBytes: 1000, connections: 2 });
    expect(hub.streams(now)[0]).toMatchObject({ clients: 2, receivedBytes: 500, sentBytes: 1000 });
    expect(hub.clients(now)[1]).toMatchObject({ publish: false, droppedFrames: 2, queuedBytes: 7, sentBytes: 1000 });
    expect(hub.kick('nobody00')).toBe(false);
    expect(hub.kick('play0001')).toBe(true);
    expect(hub.kick('pub00001')).toBe(true);
    expect(closed).toEqual(['player', 'pub00001 kicked']);
    expect(hub.streams(now)).toEqual([]);
    expect(hub.totals()).toEqual({ receivedBytes: 500, sentBytes: 1000, connections: 0 });
  });

  it('reports no track without packets', () => {
    const publication = publish();
    publication.setTrack(keyframe(0).track);
    publication.push(audio(0));
    expect(hub.find(key)?.present.video).toBeUndefined();
    expect(hub.find(key)?.present.audio).toBeDefined();
  });

  it('ends everything on close and admits nothing afterwards', () => {
    const reader = new RecordingReader();
    publish();
    hub.attach(key, reader);
    hub.close();
    hub.close();
    expect(closed).toEqual(['pub00001 shutdown']);
    expect(reader.events).toEqual(['end shutdown']);
    expect(tryPublish().ok).toBe(false);
  });
});
