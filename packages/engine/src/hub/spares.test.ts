import type { AudioPacket, VideoPacket } from '@srs-stack/media/packet.ts';
import { aacTrack, audio, h264Track, video } from '@srs-stack/media/testing/media.ts';
import type { VideoTrack } from '@srs-stack/media/track.ts';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SessionInfo } from '../session-info.ts';
import { publisherSession, RecordingReader, recordingLog } from '../testing/recorders.ts';
import type { Publication, PublishResult } from './publication.ts';
import type { SlateRule } from './slate/slate-media.ts';
import { StreamHub } from './stream-hub.ts';

const key = { vhost: '__defaultVhost__', app: 'live', stream: 'main' };
const config = {
  gopCache: { maxBytes: 1e6, maxDurationMs: 30_000 },
  ...{ takeoverSilenceMs: 3_000, firstPacketTimeoutMs: 20_000, publisherTimeoutMs: 30_000 },
};
/** The config depends on the priority, so that the tests can distinguish the encoders. */
const trackOf = (priority: number): VideoTrack => ({
  ...h264Track,
  config: Buffer.concat([h264Track.config, Buffer.from([priority])]),
});
const tracks = new Map([1, 2, 3, 4, 5].map((priority) => [priority, trackOf(priority)]));

interface Source {
  readonly publication: Publication;
  readonly priority: number;
  ms: number;
  isSilent: boolean;
}

let now: number;
let hub: StreamHub;
let rule: SlateRule | undefined;
let reader: RecordingReader;
let sources: Source[];
let released: string[];
let closed: string[];
let ended: string[];
let started: number;
let ids: number;

beforeEach(openHub);

function openHub(): void {
  now = 1_000;
  rule = undefined;
  [sources, released, closed, ended, started, ids] = [[], [], [], [], 0, 0];
  const onRelease = ({ clientId }: SessionInfo) => void released.push(clientId);
  const slates = { ruleFor: () => rule, onShow: () => undefined, onRelease };
  hub = new StreamHub({ config, log: recordingLog(), clock: () => now, slates });
  hub.onStreamStart(() => started++);
  hub.onStreamEnd((_, reason) => void ended.push(reason));
  reader = new RecordingReader();
  hub.attach(key, reader);
}

function open(priority: number, clientId = `${priority}-${ids++}`): PublishResult {
  const session = publisherSession({ stream: 'main', clientId });
  const owner = { close: (reason: string) => void closed.push(`${clientId} ${reason}`) };
  if (priority === 1) return hub.publish(session, owner, now);
  return hub.publishSpare(session, owner, { priority, isFirst: !hub.hasPublisher(key) });
}

/** An encoder that sends in real time from now on. @param ms its position in a GOP of one second. */
function publish(priority: number, ms = 0): Source {
  const result = open(priority);
  if (!result.ok) throw new Error(result.detail);
  const source = { publication: result.publication, priority, ms: priority * 10_000 + ms, isSilent: false };
  for (const track of [tracks.get(priority)!, aacTrack]) source.publication.setTrack(track);
  sources.push(source);
  return source;
}

function leave(source: Source): void {
  sources = sources.filter((each) => each !== source);
  source.publication.end('error');
}

function advance(ms: number): void {
  for (const end = now + ms; now < end; now += 20) {
    for (const source of sources) {
      if (source.isSilent) continue;
      const { publication, priority, ms: atMs } = source;
      const keyframe = atMs % 1_000 === 0;
      const options = { keyframe, track: tracks.get(priority)!, compositionMs: keyframe ? 0 : 40 };
      if (atMs % 40 === 0) publication.push(video(atMs, options));
      publication.push(audio(atMs));
      source.ms += 20;
    }
    if (now % 240 === 0) hub.tick(now);
    hub.showSlates(now);
  }
}

const frames = () => reader.packets.filter(({ track }) => track.kind === 'video') as VideoPacket[];
const programme = () => {
  const names = frames().map(({ track }) => [...tracks].find(([, known]) => known === track)?.[0]);
  return names.filter((name, index) => name !== names[index - 1]);
};
const row = () => hub.streams(now).find(({ stream }) => stream === 'main');

function expectOneClock(): void {
  for (const kind of ['video', 'audio'] as const) {
    const times = reader.times(kind);
    expect(times.filter((time, index) => index > 0 && time <= times[index - 1]!)).toEqual([]);
  }
  for (const [index, frame] of frames().entries()) {
    const before = frames()[index - 1];
    if (before && before.track !== frame.track) expect(frame.keyframe).toBe(true);
  }
}

describe('while the stream has a main encoder, a spare encoder', () => {
  it('takes over immediately when the main encoder disconnects, until its first keyframe, on one clock', () => {
    const main = publish(1);
    publish(2, 400);
    advance(3_000);
    expect(programme()).toEqual([1]);
    leave(main);
    advance(300);
    expect(programme()).toEqual([1, 2]);
    advance(5_000);
    // This encoder joins in the middle of a GOP.
    publish(1, 80);
    advance(900);
    expect(programme()).toEqual([1, 2]);
    advance(1_000);
    expect(programme()).toEqual([1, 2, 1]);
    expectOneClock();
    expect(reader.events.filter((each) => each.startsWith('end'))).toEqual([]);
    expect([started, ended]).toEqual([1, []]);
  });

  it('takes over after three seconds of silence, without any rule', () => {
    const main = publish(1);
    publish(2);
    advance(1_000);
    main.isSilent = true;
    advance(2_500);
    expect(programme()).toEqual([1]);
    advance(1_000);
    expect(programme()).toEqual([1, 2]);
    main.isSilent = false;
    advance(2_000);
    expect(programme()).toEqual([1, 2, 1]);
    expectOneClock();
  });

  it('takes over after the silence that the rule allows, if there is a rule', () => {
    rule = { afterMs: 1_000, longestMs: 60_000, media: undefined };
    const main = publish(1);
    publish(2);
    advance(1_000);
    main.isSilent = true;
    advance(1_500);
    expect(programme()).toEqual([1, 2]);
  });

  it('is followed by the slate, which ends when it is switched off while a silent spare encoder is connected', () => {
    const ofTrack = { track: tracks.get(1)! };
    const loop = Array.from({ length: 25 }, (_, n) =>
      video(n * 40, { keyframe: n === 0, ...ofTrack }),
    ) as VideoPacket[];
    const audioPackets = Array.from({ length: 50 }, (_, n) => audio(n * 20)) as AudioPacket[];
    const media = { video: { packets: loop, durationMs: 1_000 }, audio: { packets: audioPackets, durationMs: 1_000 } };
    rule = { afterMs: 1_000, longestMs: 60_000, media };
    const main = publish(1);
    const spare = publish(2);
    advance(2_000);
    main.isSilent = true;
    spare.isSilent = true;
    advance(3_000);
    expect(row()?.slateForMs).toBeGreaterThan(0);
    rule = undefined;
    advance(1_000);
    expect([row()?.slateForMs, main.publication.isOpen, closed]).toEqual([undefined, true, []]);
    main.isSilent = false;
    advance(2_000);
    expect(hub.find(key)?.standIn).toBeUndefined();
    expectOneClock();
  });

  it('is preferred to the backup source of the rule', () => {
    rule = { afterMs: 1_000, longestMs: 60_000, media: undefined, backup: { ...key, stream: 'other' } };
    const result = hub.publish(publisherSession({ stream: 'other', clientId: 'o' }), { close: () => undefined }, now);
    if (!result.ok) throw new Error(result.detail);
    sources.push({ publication: result.publication, priority: 5, ms: 0, isSilent: false });
    const main = publish(1);
    const spare = publish(2);
    advance(1_000);
    leave(main);
    advance(3_000);
    leave(spare);
    advance(3_000);
    publish(2);
    advance(3_000);
    expect(programme()).toEqual([1, 2, 5, 2]);
    expectOneClock();
  });

  it('is not listed as a stream, but with its stream and as a client', () => {
    const main = publish(1);
    publish(2);
    advance(6_000);
    expect(hub.streams(now).map(({ stream }) => stream)).toEqual(['main']);
    expect(row()).toMatchObject({ clients: 1, spares: [{ priority: 2, isOnAir: false }] });
    expect(hub.clients(now)).toMatchObject([
      { session: { clientId: '1-0' }, streamId: row()!.id, publish: true },
      { session: { clientId: '2-1' }, streamId: row()!.id, publish: true, priority: 2 },
    ]);
    expect(hub.clients(now)[0]).not.toHaveProperty('priority');
    main.isSilent = true;
    advance(9_000);
    // The row shows statistics of the encoder on air.
    expect(row()).toMatchObject({ spares: [{ priority: 2, isOnAir: true }], hasMedia: true });
    expect(row()!.fps).toBeGreaterThan(20);
    expect(row()!.silentForMs).toBeUndefined();
    expect(hub.findCorruption()).toBeUndefined();
  });

  it('causes no start or end event of a stream', () => {
    const main = publish(1);
    const spare = publish(2);
    advance(1_000);
    leave(main);
    advance(1_000);
    publish(1);
    advance(2_000);
    leave(spare);
    advance(1_000);
    // The first main encoder was released when the second main encoder took over.
    expect(released).toEqual(['1-0']);
    expect([started, ended]).toEqual([1, []]);
  });

  it('is not displaced: a second one with the same priority is refused while the first sends, a fourth one always', () => {
    publish(1);
    const second = publish(2);
    advance(1_000);
    expect(open(2)).toMatchObject({ ok: false, reason: 'stream-busy' });
    publish(3);
    publish(4);
    expect(open(5)).toMatchObject({ ok: false, reason: 'limit-reached' });
    second.isSilent = true;
    advance(3_100);
    publish(2);
    expect(closed).toEqual(['2-1 replaced']);
  });

  it('is ended after long silence, and the stream with it when the main encoder is gone', () => {
    const main = publish(1);
    const spare = publish(2);
    advance(1_000);
    leave(main);
    advance(2_000);
    spare.isSilent = true;
    advance(29_000);
    expect([hub.isPublished(key), closed]).toEqual([true, []]);
    advance(2_000);
    expect([hub.isPublished(key), closed, released]).toEqual([false, ['2-1 timeout'], ['1-0']]);
  });
});

it('keeps its stream usable as the backup source of another one', () => {
  const main = publish(1);
  publish(2);
  advance(2_000);
  leave(main);
  advance(2_000);
  expect(hub.liveSource(key)).toBe(hub.find(key));
});

describe('disconnected by the operator', () => {
  it('the publisher, even one that has left: the stream ends with its spare encoders', () => {
    const main = publish(1);
    publish(2);
    advance(1_000);
    expect(hub.kick('1-0')).toBe(true);
    expect([hub.isPublished(key), closed]).toEqual([false, ['2-1 kicked', '1-0 kicked']]);
    expect(main.publication.isOpen).toBe(false);
  });

  it('a spare encoder: only that session ends', () => {
    publish(1);
    publish(2);
    advance(1_000);
    expect([hub.kick('2-1'), hub.kick('2-1')]).toEqual([true, false]);
    expect([hub.isPublished(key), closed, row()?.spares]).toEqual([true, ['2-1 kicked'], undefined]);
  });

  it('the spare encoder that started the stream: the stream ends', () => {
    publish(2);
    advance(2_000);
    expect(hub.kick('2-0')).toBe(true);
    expect([hub.isPublished(key), closed, released, hub.clients(now)]).toEqual([false, ['2-0 kicked'], ['2-0'], []]);
  });
});

describe('without a main encoder', () => {
  it('the stream begins with the spare encoder, and the main encoder takes over at its first keyframe', () => {
    publish(2);
    expect(started).toBe(1);
    advance(2_000);
    expect(programme()).toEqual([2]);
    expect(row()).toMatchObject({ hasMedia: true, publisher: { clientId: '2-0' }, clients: 1 });
    expect(hub.clients(now)).toMatchObject([{ session: { clientId: '2-0' }, priority: 2 }]);
    expect(hub.connectionCount).toBe(1);
    expect(released).toEqual([]);
    publish(1, 200);
    expect(released).toEqual(['2-0']);
    advance(700);
    expect(programme()).toEqual([2]);
    advance(1_000);
    expect(programme()).toEqual([2, 1]);
    expectOneClock();
    expect(row()).toMatchObject({ publisher: { clientId: '1-1' }, spares: [{ priority: 2, isOnAir: false }] });
  });

  it('the stream ends with the spare encoder', () => {
    const spare = publish(2);
    advance(2_000);
    leave(spare);
    advance(300);
    expect([hub.isPublished(key), ended, released]).toEqual([false, ['kicked'], ['2-0']]);
    publish(2);
    advance(2_000);
    expect([programme(), started]).toEqual([[2], 2]);
  });

  it('spare encoders are on the air in the order of their priorities, and a preferred one again when it returns', () => {
    const third = publish(3);
    advance(2_000);
    let second = publish(2);
    advance(2_000);
    leave(second);
    advance(2_000);
    second = publish(2);
    advance(2_000);
    expect(programme()).toEqual([3, 2, 3, 2]);
    leave(third);
    advance(1_000);
    expect(programme()).toEqual([3, 2, 3, 2]);
    expectOneClock();
    leave(second);
    advance(1_000);
    expect(hub.isPublished(key)).toBe(false);
  });

  it('refuses a spare encoder that was authorized beside a publisher that has since left', () => {
    const session = publisherSession({ stream: 'main', clientId: 'late' });
    const result = hub.publishSpare(session, { close: () => undefined }, { priority: 2, isFirst: false });
    expect(result).toMatchObject({ ok: false, reason: 'stream-busy' });
  });

  it('releases a spare encoder that was authorized as the publisher when another session has become the publisher', () => {
    publish(1);
    const session = publisherSession({ stream: 'main', clientId: 'late' });
    const result = hub.publishSpare(session, { close: () => undefined }, { priority: 2, isFirst: true });
    expect([result.ok, released]).toEqual([true, ['late']]);
  });

  it('takes the place of a publisher that gives way', () => {
    const channel = publisherSession({ stream: 'main', clientId: 'channel', type: 'channel-publish' });
    hub.publish(channel, { close: (reason) => void closed.push(`channel ${reason}`) }, now);
    publish(2);
    advance(2_000);
    expect([programme(), closed]).toEqual([[2], ['channel replaced']]);
  });
});

it('keeps one clock, and a publisher for each stream with spare encoders, whatever the encoders do', () => {
  const event = fc.constantFrom('1', '1-silent', '2', '2-silent', '3', '3-silent', 'kick', 'rule');
  const step = fc.tuple(
    event,
    fc.integer({ min: 1, max: 200 }).map((n) => n * 20),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      openHub();
      for (const [what, ms] of steps) {
        const priority = Number(what[0]);
        const source = sources.find((each) => each.priority === priority);
        if (what === 'rule') rule = rule ? undefined : { afterMs: 1_000, longestMs: 60_000, media: undefined };
        else if (what === 'kick') hub.kick(hub.clients(now).at(-1)?.session.clientId ?? '');
        else if (what.endsWith('silent')) {
          if (source) source.isSilent = !source.isSilent;
        } else if (source) leave(source);
        else if (priority > 1 || !hub.isSending(key, now)) publish(priority, ms);
        sources = sources.filter(({ publication }) => publication.isOpen);
        advance(ms);
        sources = sources.filter(({ publication }) => publication.isOpen);
        if (hub.spares.of(key).length > 0) expect(hub.isPublished(key)).toBe(true);
      }
      expectOneClock();
      expect(hub.findCorruption()).toBeUndefined();
      const readers = hub.spares.of(key).map(({ stream }) => stream.readerCount);
      const isOn = row()?.spares?.some(({ isOnAir }) => isOnAir) ?? false;
      expect(readers.reduce((sum, each) => sum + each, 0)).toBe(isOn ? 1 : 0);
    }),
    { numRuns: 60 },
  );
});
