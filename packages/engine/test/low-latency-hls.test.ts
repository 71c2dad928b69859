// Low-latency HLS over HTTP: valid playlists, blocking reload, hinted parts, bad requests. The tests send media packet by packet.
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { audioTrackFromConfig } from '@srs-stack/media/codecs/audio-track.ts';
import { videoTrackFromConfig } from '@srs-stack/media/codecs/video-track.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import {
  applyDelta,
  playlistViolations,
  type RulePlaylist,
  readPlaylist,
} from '@srs-stack/media/testing/low-latency-rules.ts';
import { aacTrack, audio, video } from '@srs-stack/media/testing/media.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { HlsConfig } from '../src/engine-config.ts';
import type { Publication } from '../src/hub/stream-hub.ts';
import { HeldRequests } from '../src/sessions/hls/held-requests.ts';
import { encodeAv1 } from './av1-clip.ts';
import { decodeErrors, encodePackets, h264WithBFrames, h265, probeStreams } from './hls-media.ts';
import { type HlsRig, startHls } from './hls-rig.ts';

let rig: HlsRig;
afterEach(() => rig?.close());

interface Rhythm {
  readonly fromMs?: number;
  readonly untilMs: number;
  readonly frameMs?: number;
  readonly gopMs?: number;
  readonly hasVideo?: boolean;
  readonly hasAudio?: boolean;
  /** Times in whole milliseconds, as in RTMP. */
  readonly isRounded?: boolean;
}

function media(rhythm: Rhythm): Packet[] {
  const { fromMs = 0, untilMs, frameMs = 1000 / 30, gopMs = 2000, hasVideo = true, hasAudio = true } = rhythm;
  const round = (ms: number): number => (rhythm.isRounded === false ? ms : Math.round(ms));
  const framesPerGop = Math.round(gopMs / frameMs);
  const packets: Packet[] = [];
  for (let frame = Math.ceil(fromMs / frameMs); hasVideo && frame * frameMs < untilMs; frame++) {
    packets.push(video(round(frame * frameMs), { keyframe: frame % framesPerGop === 0, bytes: 400 }));
  }
  const audioFrameMs = 1024 / 48;
  for (let frame = Math.ceil(fromMs / audioFrameMs); hasAudio && frame * audioFrameMs < untilMs; frame++) {
    packets.push(audio(round(frame * audioFrameMs)));
  }
  return packets.sort((left, right) => left.dtsMs - right.dtsMs);
}

function push(publication: Publication, packets: readonly Packet[]): void {
  for (const track of new Set(packets.map((packet) => packet.track))) publication.setTrack(track);
  for (const packet of packets) publication.push(packet);
}

interface Opened {
  readonly publication: Publication;
  /** Path of the viewer's playlist, with the query of the session. */
  readonly path: string;
  readonly play: (untilMs: number, rhythm?: Partial<Rhythm>) => void;
}

async function open(
  rhythm: Partial<Rhythm> = {},
  changes: Partial<HlsConfig> = {},
  held?: HeldRequests,
): Promise<Opened> {
  rig = await startHls({ lowLatency: true, fragmentSeconds: 1, windowSeconds: 10, ...changes }, held);
  const publication = rig.publish('s');
  let atMs = 0;
  const play = (untilMs: number, more: Partial<Rhythm> = {}): void => {
    push(publication, media({ ...rhythm, ...more, fromMs: atMs, untilMs }));
    atMs = untilMs;
  };
  play(100);
  const first = fetch(`${rig.url}/live/s.ll.m3u8`);
  while (rig.hub.find({ vhost: '__defaultVhost__', app: 'live', stream: 's' })!.readerCount < 2) await rest();
  play(5_000);
  const text = await (await first).text();
  const named = new URL(text.trim().split('\n').at(-1)!, `${rig.url}/live/`);
  const path = changes.sessionContexts === false ? '/live/s.ll.m3u8' : named.pathname + named.search;
  return { publication, path, play };
}

const rest = () => new Promise((resolve) => setImmediate(resolve));
const textOf = async (path: string) => (await fetch(rig.url + path)).text();
const playlistOf = async (path: string): Promise<RulePlaylist> => readPlaylist(await textOf(path));
const statusOf = async (path: string) => (await fetch(rig.url + path)).status;
const beside = (uri: string) => `/live/${uri}`;

describe('low-latency playlists', () => {
  it.each<[string, Partial<Rhythm>]>([
    ['30 frames a second, times rounded as RTMP does', {}],
    ['25 frames a second, keyframes each second', { frameMs: 40, gopMs: 1000 }],
    ['24 frames a second', { frameMs: 1000 / 24 }],
    ['60 frames a second', { frameMs: 1000 / 60, isRounded: false }],
    ['10 frames a second', { frameMs: 100 }],
    ['one frame a second', { frameMs: 1000 }],
    ['a keyframe each 3.5 s', { gopMs: 3500 }],
    ['video without audio', { hasAudio: false }],
    ['audio without video', { hasVideo: false }],
  ])('are valid: %s', async (_name, rhythm) => {
    const { path, play } = await open(rhythm);
    play(9_000);
    let before = await playlistOf(path);
    expect(playlistViolations(before)).toEqual([]);
    for (let untilMs = 9_040; untilMs < 17_000; untilMs += 90) {
      play(untilMs);
      const now = await playlistOf(path);
      expect(playlistViolations(now, before)).toEqual([]);
      before = now;
    }
    expect(before.segments.at(-2)!.sequence).toBeGreaterThan(2);
  });

  it('as delta updates omit older segments, and nothing is lost', async () => {
    const { path, play } = await open();
    play(30_000);
    const before = await playlistOf(path);
    play(33_000);
    const full = await playlistOf(path);
    const delta = await playlistOf(`${path}&_HLS_skip=YES`);
    expect(delta.skipped).toBeGreaterThan(3);
    expect((await textOf(path)).length).toBeGreaterThan((await textOf(`${path}&_HLS_skip=v2`)).length);
    const withoutOldParts = full.segments.map((segment, index) =>
      index < delta.skipped ? { ...segment, parts: [] } : segment,
    );
    expect(applyDelta(before, delta).segments).toEqual(withoutOldParts);
    expect(playlistViolations(delta, before)).toEqual([]);
  });

  it('slide, and their files exist', async () => {
    const { path, play } = await open();
    play(80_000);
    const { segments, mediaSequence, hint } = await playlistOf(path);
    expect(mediaSequence).toBeGreaterThan(20);
    expect(segments.length).toBeLessThan(20);
    const uris = segments.flatMap(({ uri, map, parts }) => [uri, map, ...parts.map((part) => part.uri)]);
    for (const uri of new Set(uris)) if (uri !== undefined) expect(await statusOf(beside(uri))).toBe(200);
    expect(hint).toMatch(/^s\.ll\.\w+\.p\d+\.m4s\?hls_ctx=/);
  });

  it('do not start at number 0, for which hls.js loads parts repeatedly', async () => {
    const { path } = await open();
    const { mediaSequence, segments } = await playlistOf(path);
    expect([mediaSequence, segments[0]!.sequence]).toEqual([1, 1]);
  });

  it('date media by its arrival', async () => {
    const { path } = await open();
    const { segments } = await playlistOf(path);
    const dates = segments.map(({ date }) => Date.parse(date!));
    const durations = segments.map(({ duration }) => Math.round((duration ?? 0) * 1000));
    expect(
      dates
        .slice(1)
        .map((date, index) => date - dates[index]! - durations[index]!)
        .every((gap) => Math.abs(gap) <= 6),
    ).toBe(true);
  });

  it('continue after another publisher, discontinuous, with a new map', async () => {
    const { path, play, publication } = await open();
    const before = await playlistOf(path);
    publication.end('unpublished');
    const between = await textOf(path);
    expect(between).not.toContain('CAN-BLOCK-RELOAD');
    expect(between).not.toContain('PRELOAD-HINT');
    const next = rig.publish('s');
    push(next, media({ untilMs: 5_000, hasAudio: false }));
    const after = await playlistOf(path);
    const fresh = after.segments.find(({ isDiscontinuous }) => isDiscontinuous)!;
    expect(fresh.sequence).toBe(before.segments.at(-1)!.sequence + 1);
    expect(fresh.map).not.toBe(before.segments[0]!.map);
    expect(playlistViolations(after)).toEqual([]);
    play(5_001);
  });

  it('restart with other audio at the next keyframe', async () => {
    const { path, publication } = await open();
    const mono = audioTrackFromConfig('aac', Buffer.from('1188', 'hex'));
    const packets = media({ fromMs: 5_000, untilMs: 12_000 }).map((packet) =>
      packet.track === aacTrack ? { ...packet, track: mono } : packet,
    );
    push(publication, packets as Packet[]);
    const { segments } = await playlistOf(path);
    const fresh = segments.filter(({ isDiscontinuous }) => isDiscontinuous);
    expect(fresh).toHaveLength(1);
    expect(new Set(segments.map(({ map }) => map)).size).toBe(2);
  });

  it('name codecs and size in the master playlist', async () => {
    await open();
    expect(await textOf('/live/s.ll.m3u8')).toMatch(
      /CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1920x1080\n\.\.\/live\/s\.ll\.m3u8\?hls_ctx=/,
    );
  });

  it('authorize their files for the viewer, by every URL in them', async () => {
    const { play } = await open({}, { sessionContexts: false });
    rig.review = ({ param, isSegment }) =>
      param === (isSegment ? '?token=a%22b' : '?login=c')
        ? { allowed: true, carry: 'token=a"b' }
        : { allowed: false, reason: 'callback-refused', detail: 'no token' };
    const plain = await playlistOf('/live/s.ll.m3u8?login=c&_HLS_skip=YES');
    const files = plain.segments.flatMap(({ uri, map, parts }) => [uri, map, ...parts.map((part) => part.uri)]);
    expect([plain.hint, ...files].every((uri) => uri === undefined || uri.endsWith('.m4s?token=a%22b'))).toBe(true);
    const first = plain.segments[0]!.uri!;
    const opened = await fetch(rig.url + beside(first));
    expect([opened.status, opened.headers.get('cache-control')]).toEqual([200, 'private, max-age=600']);
    const hinted = statusOf(beside(plain.hint!.split('?')[0]!));
    play(6_000);
    expect([await hinted, await statusOf(beside(first.split('?')[0]!)), await statusOf('/live/s.ll.m3u8')]).toEqual([
      403, 403, 403,
    ]);
  });

  it('do not exist while low latency is off, and a stream of such a name keeps its URL', async () => {
    rig = await startHls({ lowLatency: false });
    push(rig.publish('s'), media({ untilMs: 5_000 }));
    expect(await statusOf('/live/s.ll.m3u8')).toBe(404);
    await rig.close();
    rig = await startHls({ lowLatency: true, sessionContexts: false });
    push(rig.publish('s.ll'), media({ untilMs: 5_000 }));
    expect(await textOf('/live/s.ll.m3u8')).toMatch(/\.ts\n/);
  });

  it('refuse video that fragmented MP4 cannot carry', async () => {
    rig = await startHls({ lowLatency: true });
    const track = videoTrackFromConfig('vp8', Buffer.alloc(0));
    push(
      rig.publish('s'),
      media({ untilMs: 3_000, hasAudio: false }).map((packet) => ({ ...packet, track }) as Packet),
    );
    expect(await statusOf('/live/s.ll.m3u8')).toBe(415);
  });

  it('return 404 to a viewer that is kicked while waiting', async () => {
    const { path, play } = await open();
    const { segments } = await playlistOf(path);
    const waiting = fetch(`${rig.url}${path}&_HLS_msn=${segments.at(-1)!.sequence + 1}`);
    await rest();
    const viewer = rig.hub.clients(0).find(({ session }) => session.type === 'hls-play')!;
    rig.hub.kick(viewer.session.clientId);
    play(9_000);
    expect((await waiting).status).toBe(404);
  });
});

describe('files', () => {
  it.each<[string, () => Promise<Packet[]>, string[]]>([
    [
      'H.264 with B-frames and AAC',
      () => encodePackets({ seconds: 7, video: h264WithBFrames, audio: ['-c:a', 'aac'] }),
      ['h264', 'aac'],
    ],
    ['HEVC and Opus', () => encodePackets({ seconds: 7, video: h265, audio: ['-c:a', 'libopus'] }), ['hevc', 'opus']],
    ['AV1', () => encodeAv1(6), ['av1']],
  ])('decode without errors: %s', async (_name, encode, codecs) => {
    const packets = await encode();
    rig = await startHls({ lowLatency: true, sessionContexts: false });
    const publication = rig.publish('s');
    push(publication, packets.slice(0, 10));
    const pending = fetch(`${rig.url}/live/s.ll.m3u8`);
    while (rig.hub.find({ vhost: '__defaultVhost__', app: 'live', stream: 's' })!.readerCount < 2) await rest();
    push(publication, packets.slice(10));
    await pending;
    publication.end('unpublished');
    const playlist = await playlistOf('/live/s.ll.m3u8');
    const { segments } = playlist;
    const whole = segments.map(({ uri }) => uri!);
    const pieces = segments.flatMap(({ parts }) => parts.map(({ uri }) => uri));
    for (const uris of [whole, pieces]) {
      const bytes = await Promise.all(
        [segments[0]!.map!, ...uris].map(async (uri) => (await fetch(rig.url + beside(uri))).bytes()),
      );
      const file = join(rig.folder, 'all.mp4');
      await writeFile(file, Buffer.concat(bytes));
      expect(await decodeErrors(file)).toBe('');
      const streams = await probeStreams(file);
      expect(streams.map(({ codec_name }) => codec_name)).toEqual(codecs);
      expect(Number(streams[0]!.nb_read_frames)).toBe(packets.filter(({ track }) => track.kind === 'video').length);
    }
  });
});

describe('blocking reload', () => {
  const lastOf = ({ segments }: RulePlaylist) => segments.at(-1)!;

  it('responds when the part exists, and not before', async () => {
    const { path, play } = await open();
    const { sequence, parts } = lastOf(await playlistOf(path));
    let hasResponse = false;
    const waiting = playlistOf(`${path}&_HLS_msn=${sequence}&_HLS_part=${parts.length}`).finally(() => {
      hasResponse = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(hasResponse).toBe(false);
    play(5_400);
    const reached = lastOf(await waiting);
    expect([reached.sequence, reached.parts.length]).toEqual([sequence, parts.length + 1]);
  });

  it('accepts a part that does not fit its segment as the first of the next', async () => {
    const { path, play } = await open();
    const { sequence } = lastOf(await playlistOf(path));
    const waiting = playlistOf(`${path}&_HLS_msn=${sequence}&_HLS_part=9`);
    await rest();
    play(8_000);
    expect(lastOf(await waiting).sequence).toBeGreaterThan(sequence);
  });

  it('waits for whole segments, and for the hinted part', async () => {
    const { path, play } = await open();
    const now = await playlistOf(path);
    const segment = playlistOf(`${path}&_HLS_msn=${lastOf(now).sequence}`);
    const part = fetch(rig.url + beside(now.hint!));
    await rest();
    play(7_000);
    expect((await segment).segments.find(({ sequence }) => sequence === lastOf(now).sequence)!.duration).toBe(2);
    const bytes = Buffer.from(await (await part).arrayBuffer());
    expect([(await part).status, bytes.toString('latin1', 4, 8)]).toEqual([200, 'moof']);
  });

  it.each([
    ['_HLS_msn=999999', 400],
    ['_HLS_msn=99999999999999999999', 400],
    ['_HLS_msn=-1', 400],
    ['_HLS_msn=x', 400],
    ['_HLS_msn=1e3', 400],
    ['_HLS_part=1', 400],
    ['_HLS_msn=0', 200],
    ['_HLS_msn=0&_HLS_part=99', 200],
    ['_HLS_skip=maybe&_HLS_other=1', 200],
  ])('%s gets %i', async (query, status) => {
    const { path } = await open();
    expect(await statusOf(`${path}&${query}`)).toBe(status);
  });

  it('refuses parts further ahead than three seconds', async () => {
    const { path } = await open();
    const { sequence, parts } = lastOf(await playlistOf(path));
    expect(await statusOf(`${path}&_HLS_msn=${sequence}&_HLS_part=${parts.length + 20}`)).toBe(400);
    expect(await statusOf(`${path}&_HLS_msn=${sequence + 3}`)).toBe(400);
  });

  it('ends with 503 when nothing arrives in three target durations', async () => {
    const { path } = await open();
    const { sequence } = lastOf(await playlistOf(path));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let result: Response | undefined;
      const pending = fetch(`${rig.url}${path}&_HLS_msn=${sequence + 1}`).then((response) => {
        result = response;
      });
      let passedMs = 0;
      for (; result === undefined; passedMs += 100) {
        vi.advanceTimersByTime(100);
        await rest();
      }
      await pending;
      expect([result.status, result.headers.get('retry-after')]).toEqual([503, '1']);
      expect(passedMs).toBeGreaterThanOrEqual(6_000);
    } finally {
      vi.useRealTimers();
    }
  });

  it('releases requests of disconnected clients, and responds immediately when the publisher leaves', async () => {
    const { path, publication } = await open();
    const { sequence } = lastOf(await playlistOf(path));
    const target = `${rig.url}${path}&_HLS_msn=${sequence + 1}`;
    const aborted = get(target).on('error', () => undefined);
    const kept = fetch(target);
    await new Promise((resolve) => setTimeout(resolve, 30));
    aborted.destroy();
    await new Promise((resolve) => setTimeout(resolve, 30));
    publication.end('unpublished');
    expect((await kept).status).toBe(200);
  });

  it('refuses requests above the limit, and frees the places of disconnected clients', async () => {
    const held = new HeldRequests({ maxHeld: 8, maxPerAddress: 4 });
    const { path, play } = await open({}, {}, held);
    const { sequence } = lastOf(await playlistOf(path));
    const target = `${path}&_HLS_msn=${sequence + 1}`;
    // Four clients send requests and never read. Two of these clients disconnect later.
    const halfOpen = Array.from({ length: 4 }, () => {
      const socket = connect(Number(new URL(rig.url).port), '127.0.0.1').on('error', () => undefined);
      socket.pause().write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
      return socket;
    });
    await vi.waitFor(() => expect(held.count).toBe(4));
    const full = await fetch(rig.url + target);
    expect([full.status, full.headers.get('retry-after'), await full.json()]).toEqual([
      ...[503, '1'],
      expect.objectContaining({ name: 'limit-reached' }),
    ]);
    expect(await statusOf(path), 'an existing file does not wait').toBe(200);
    for (const socket of halfOpen.slice(0, 2)) socket.destroy();
    await vi.waitFor(() => expect(held.count).toBe(2));
    const waiting = statusOf(target);
    await vi.waitFor(() => expect(held.count).toBe(3));
    play(9_000);
    expect(await waiting).toBe(200);
    await vi.waitFor(() => expect(held.count).toBe(0));
    for (const socket of halfOpen) socket.destroy();
  });

  it('rejects files of other runs, past the end or with invalid numbers', async () => {
    const { path } = await open();
    const { hint } = await playlistOf(path);
    const run = hint!.split('.')[2]!;
    for (const name of [`s.ll.0.1.m4s`, `s.ll.${run}.999.m4s`, `s.ll.${run}.p99999.m4s`, `s.ll.${run}.i9.m4s`])
      expect(await statusOf(beside(name))).toBe(404);
    expect(await statusOf(beside(`s.ll.${run}.q1.m4s`))).toBe(418);
  });
});
