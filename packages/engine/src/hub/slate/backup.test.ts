// A backup source replaces the unavailable source of a stream until the source returns. Tests with and without a slate.
import type { AudioPacket, Packet, VideoPacket } from '@srs-stack/media/packet.ts';
import { aacTrack, audio, h264Track, video } from '@srs-stack/media/testing/media.ts';
import type { VideoTrack } from '@srs-stack/media/track.ts';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { publisherSession, RecordingReader, recordingLog } from '../../testing/recorders.ts';
import type { Publication } from '../publication.ts';
import { StreamHub } from '../stream-hub.ts';
import type { SlateMedia, SlateRule } from './slate-media.ts';

const key = { vhost: '__defaultVhost__', app: 'live', stream: 'main' };
const backupKey = { ...key, stream: 'backup' };
const config = {
  gopCache: { maxBytes: 1e6, maxDurationMs: 30_000 },
  ...{ takeoverSilenceMs: 3_000, firstPacketTimeoutMs: 20_000, publisherTimeoutMs: 30_000 },
};
const withMark = (mark: number): VideoTrack => ({
  ...h264Track,
  config: Buffer.concat([h264Track.config, Buffer.from([mark])]),
});
const [slateTrack, backupTrack] = [withMark(1), withMark(2)];
const slateFrames = Array.from({ length: 50 }, (_, n) => video(n * 40, { keyframe: n === 0, track: slateTrack }));
const slateAudio = Array.from({ length: 50 }, (_, n) => audio(n * 40));
const slateMedia: SlateMedia = {
  video: { packets: slateFrames as VideoPacket[], durationMs: 2_000 },
  audio: { packets: slateAudio as AudioPacket[], durationMs: 2_000 },
};

let now: number;
let hub: StreamHub;
let rules: Map<string, SlateRule>;
let reader: RecordingReader;

beforeEach(openHub);

function openHub(): void {
  now = 1_000;
  const rule = { afterMs: 2_000, longestMs: 600_000, media: slateMedia, backup: backupKey };
  rules = new Map([['main', rule]]);
  hub = new StreamHub({
    ...{ config, log: recordingLog(), clock: () => now },
    slates: { ruleFor: ({ stream }) => rules.get(stream), onShow: () => undefined, onRelease: () => undefined },
  });
  reader = new RecordingReader();
  hub.attach(key, reader);
}

interface Source {
  readonly publication: Publication;
  readonly track: VideoTrack;
  ms: number;
  isSilent: boolean;
}
let sources: Source[] = [];
beforeEach(() => {
  sources = [];
});

/** An encoder that sends in real time. Its timestamps start at an arbitrary value. */
function publish(stream: string, track: VideoTrack, startMs = 0): Source {
  const session = publisherSession({ stream, clientId: `p${sources.length}` });
  const result = hub.publish(session, { close: () => undefined }, now);
  if (!result.ok) throw new Error(result.detail);
  const source = { publication: result.publication, track, ms: startMs, isSilent: false };
  for (const each of [track, aacTrack]) source.publication.setTrack(each);
  sources.push(source);
  return source;
}

function leave(source: Source): void {
  sources = sources.filter((each) => each !== source);
  source.publication.end('error');
}

/** Advances the time. Each source sends 25 fps video with a keyframe each second, and audio every 20 ms. */
function advance(ms: number): void {
  for (const end = now + ms; now < end; now += 20) {
    for (const source of sources) {
      if (source.isSilent) continue;
      const { publication, track, ms: atMs } = source;
      const keyframe = atMs % 1_000 === 0;
      if (atMs % 40 === 0) publication.push(video(atMs, { keyframe, track, compositionMs: keyframe ? 0 : 40 }));
      publication.push(audio(atMs));
      source.ms += 20;
    }
    if (now % 240 === 0) hub.tick(now);
    hub.showSlates(now);
  }
}

const ofKind = (kind: 'video' | 'audio') => reader.packets.filter(({ track }) => track.kind === kind);
const nameOf = ({ track }: Packet) => (track === backupTrack ? 'backup' : track === slateTrack ? 'slate' : 'main');
const programme = () => {
  const names = ofKind('video').map(nameOf);
  return names.filter((name, index) => name !== names[index - 1]);
};

function expectOneClock(): void {
  for (const kind of ['video', 'audio'] as const) {
    const times = ofKind(kind).map(({ dtsMs }) => dtsMs);
    expect(times.filter((time, index) => index > 0 && time <= times[index - 1]!)).toEqual([]);
  }
  const frames = ofKind('video') as VideoPacket[];
  for (const [index, frame] of frames.entries()) {
    const before = frames[index - 1];
    if (before && before.track !== frame.track)
      expect([frame.keyframe, frame.ptsMs > before.ptsMs]).toEqual([true, true]);
  }
}

describe('a backup source', () => {
  it('takes over from its last keyframe after the silence that the rule allows, until a keyframe of the source', () => {
    const main = publish('main', h264Track, 5_000);
    publish('backup', backupTrack, 90_000);
    advance(3_000);
    leave(main);
    advance(1_900);
    expect(programme()).toEqual(['main']);
    advance(1_000);
    expect(programme()).toEqual(['main', 'backup']);
    expect(hub.streams(now).find(({ stream }) => stream === 'main')?.backupForMs).toBeGreaterThan(0);
    // This publisher joins in the middle of a GOP.
    publish('main', h264Track, 40);
    advance(900);
    expect(programme()).toEqual(['main', 'backup']);
    advance(1_000);
    expect(programme()).toEqual(['main', 'backup', 'main']);
    expect(hub.find(backupKey)?.readerCount).toBe(0);
    expectOneClock();
    expect(reader.events.filter((each) => each.startsWith('end'))).toEqual([]);
  });

  it('replaces a publisher that is connected but silent', () => {
    const main = publish('main', h264Track);
    publish('backup', backupTrack);
    advance(1_000);
    main.isSilent = true;
    advance(4_000);
    expect(programme()).toEqual(['main', 'backup']);
    main.isSilent = false;
    advance(2_000);
    expect(programme()).toEqual(['main', 'backup', 'main']);
  });

  it('is preferred to the slate, which follows when the backup is unavailable too', () => {
    const main = publish('main', h264Track);
    advance(1_000);
    leave(main);
    advance(3_000);
    const backup = publish('backup', backupTrack);
    advance(3_000);
    leave(backup);
    advance(4_000);
    publish('main', h264Track);
    advance(2_000);
    expect(programme()).toEqual(['main', 'slate', 'backup', 'slate', 'main']);
    expectOneClock();
  });

  it('keeps a stream without a slate on the air as long as it is live', () => {
    rules.set('main', { ...rules.get('main')!, media: undefined });
    const main = publish('main', h264Track);
    const backup = publish('backup', backupTrack);
    advance(1_000);
    leave(main);
    advance(60_000);
    expect([programme(), hub.isPublished(key)]).toEqual([['main', 'backup'], true]);
    leave(backup);
    advance(3_000);
    expect(hub.isPublished(key)).toBe(false);
  });

  it('is not used while it is itself replaced: two streams that back up each other show their slates', () => {
    rules.set('backup', { ...rules.get('main')!, backup: key });
    const [main, backup] = [publish('main', h264Track), publish('backup', h264Track)];
    advance(1_000);
    leave(main);
    leave(backup);
    advance(6_000);
    expect(programme()).toEqual(['main', 'slate']);
    expect(hub.find(backupKey)?.slate).toBeDefined();
  });

  it('ends when the rule is removed', () => {
    const main = publish('main', h264Track);
    publish('backup', backupTrack);
    advance(1_000);
    main.isSilent = true;
    advance(4_000);
    rules.clear();
    advance(500);
    expect(hub.find(key)?.standIn).toBeUndefined();
    expect(hub.find(backupKey)?.readerCount).toBe(0);
  });

  it('keeps one clock for any behaviour of the sources, and detaches all readers', () => {
    const event = fc.constantFrom('main', 'main-silent', 'backup', 'backup-silent', 'rule', 'kick');
    const step = fc.tuple(
      event,
      fc.integer({ min: 1, max: 200 }).map((n) => n * 20),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        openHub();
        sources = [];
        const [configured] = rules.values();
        const named = (name: string) => sources.find(({ publication }) => publication.session.stream === name);
        for (const [what, ms] of steps) {
          const name = what.startsWith('main') ? 'main' : 'backup';
          const source = named(name);
          if (what === 'rule') rules = rules.size > 0 ? new Map() : new Map([['main', configured!]]);
          else if (what === 'kick') {
            const held = hub
              .clients(now)
              .find(({ session, publish: isPublisher }) => isPublisher && session.stream === 'main');
            if (held) hub.kick(held.session.clientId);
            sources = sources.filter(({ publication }) => publication.isOpen);
          } else if (what.endsWith('silent')) {
            if (source) source.isSilent = !source.isSilent;
          } else if (source) leave(source);
          else if (!hub.isSending({ ...key, stream: name }, now))
            publish(name, name === 'main' ? h264Track : backupTrack, ms);
          advance(ms);
          sources = sources.filter(({ publication }) => publication.isOpen);
        }
        expectOneClock();
        expect(hub.findCorruption()).toBeUndefined();
        const isOn = hub.find(key)?.standIn !== undefined && hub.find(key)?.slate === undefined;
        expect(hub.find(backupKey)?.readerCount ?? 0).toBe(isOn ? 1 : 0);
      }),
      { numRuns: 60 },
    );
  });
});
