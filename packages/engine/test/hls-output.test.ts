import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { videoTrackFromConfig } from '@srs-stack/media/codecs/video-track.ts';
import { TsDemuxer } from '@srs-stack/media/containers/mpegts/ts-demuxer.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { keyframe, video } from '@srs-stack/media/testing/media.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HlsConfig } from '../src/engine-config.ts';
import { decodeErrors, encodePackets, h264WithBFrames, h265, probePackets, probeStreams } from './hls-media.ts';
import { type HlsRig, send, startHls } from './hls-rig.ts';

const aac = ['-c:a', 'aac', '-b:a', '64k'];
/** Longest duration of a last frame, seconds. The real duration is unknown, because no frame follows. */
const longestLastFrame = 0.25;
let clip: Packet[];
let rig: HlsRig;

async function start(changes: Partial<HlsConfig> = {}): Promise<HlsRig> {
  rig = await startHls(changes);
  return rig;
}

/** Opens a viewer session: fetches the master playlist, then its media playlist. */
async function openSession(path: string): Promise<{ master: string; mediaPath: string; media: string }> {
  const master = await (await fetch(rig.url + path)).text();
  const { pathname, search } = new URL(master.split('\n')[2]!, rig.url + path);
  const mediaPath = pathname + search;
  return { master, mediaPath, media: await (await fetch(rig.url + mediaPath)).text() };
}

function segmentLines(playlist: string): string[] {
  return playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

function durations(playlist: string): number[] {
  return [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map((match) => Number(match[1]));
}

function requestRaw(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(rig.url);
    get({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).once('error', reject);
  });
}

beforeAll(async () => {
  clip = await encodePackets({ seconds: 9, video: h264WithBFrames, audio: aac, gop: 50 });
});

afterEach(async () => {
  await rig?.close();
});

describe('segments', () => {
  it('are read back by FFmpeg as they were sent', async () => {
    await start();
    const publication = rig.publish('s');
    send(publication, clip);
    publication.end('unpublished');
    await vi.waitFor(() => expect(rig.segments).toHaveLength(5));
    const playlist = join(rig.folder, 'live/s.m3u8');
    await vi.waitFor(async () => expect(durations(await readFile(playlist, 'utf8'))).toHaveLength(5));
    await writeFile(playlist, `${await readFile(playlist, 'utf8')}#EXT-X-ENDLIST\n`);

    const streams = await probeStreams(playlist);
    const sentVideo = clip.filter((packet) => packet.track.kind === 'video');
    const sentAudio = clip.filter((packet) => packet.track.kind === 'audio');
    expect(streams.map((stream) => [stream.codec_name, Number(stream.nb_read_frames)])).toEqual([
      ['h264', sentVideo.length],
      ['aac', sentAudio.length],
    ]);
    expect(await decodeErrors(playlist)).toBe('');

    const packets = await probePackets(playlist);
    for (const [kind, sent] of [
      ['video', sentVideo],
      ['audio', sentAudio],
    ] as const) {
      const read = packets.filter((packet) => packet.codec_type === kind);
      const dts = read.map((packet) => Number(packet.dts_time));
      expect(dts).toEqual([...dts].sort((left, right) => left - right));
      const offset = Number(read[0]!.pts_time) * 1000 - sent[0]!.ptsMs;
      const reference = Number(packets.find((packet) => packet.codec_type === 'video')!.pts_time) * 1000;
      expect(offset - (reference - sentVideo[0]!.ptsMs)).toBeCloseTo(0, -0.5);
      read.forEach((packet, index) => {
        expect(Math.abs(Number(packet.pts_time) * 1000 - offset - sent[index]!.ptsMs)).toBeLessThan(3);
      });
    }
  });

  it('start with a keyframe and are reported to the host when their file is complete', async () => {
    await start();
    const publication = rig.publish('cam-1', 'live/sub');
    send(publication, clip);
    publication.end('unpublished');
    await vi.waitFor(() => expect(rig.segments).toHaveLength(5));
    const [first] = rig.segments;
    expect(first).toMatchObject({
      app: 'live/sub',
      stream: 'cam-1',
      clientId: 'publish1',
      ip: '10.1.2.3',
      param: '?secret=x',
      durationSeconds: 2,
      m3u8: join(rig.folder, 'live/sub/cam-1.m3u8'),
      m3u8Url: 'live/sub/cam-1.m3u8',
      sequenceNumber: 0,
    });
    expect(first!.url).toMatch(/^live\/sub\/cam-1-0-\d{13}\.ts$/);
    expect(first!.file).toBe(join(rig.folder, first!.url));
    for (const { file, durationSeconds } of rig.segments) {
      const packets = await probePackets(file);
      expect(packets.find((packet) => packet.codec_type === 'video')!.flags).toContain('K');
      expect(durationSeconds).toBeCloseTo(file === rig.segments[4]!.file ? 1 : 2, 2);
    }
  });

  it.each([
    ['HEVC with AAC', { seconds: 4, video: h265, audio: aac }, ['hevc', 'aac']],
    ['H.264 with MP3', { seconds: 4, video: h264WithBFrames, audio: ['-c:a', 'libmp3lame'] }, ['h264', 'mp3']],
    ['video only', { seconds: 4, video: h264WithBFrames }, ['h264']],
    ['5.1 sound', { seconds: 4, video: h264WithBFrames, audio: [...aac, '-ac', '6'] }, ['h264', 'aac']],
    ['mono audio only', { seconds: 10, audio: [...aac, '-ac', '1'] }, ['aac']],
    ['MP3 only', { seconds: 10, audio: ['-c:a', 'libmp3lame'] }, ['mp3']],
  ])('carry %s', async (_, options, codecs) => {
    await start();
    const packets = await encodePackets(options);
    const publication = rig.publish('s');
    send(publication, packets);
    publication.end('unpublished');
    const reportedSeconds = () => rig.segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
    await vi.waitFor(() => expect(reportedSeconds()).toBeGreaterThan(options.seconds - longestLastFrame));
    const playlist = join(rig.folder, 'live/s.m3u8');
    const listed = async () => durations(await readFile(playlist, 'utf8')).length;
    await vi.waitFor(async () => expect(await listed()).toBe(rig.segments.length));
    await writeFile(playlist, `${await readFile(playlist, 'utf8')}#EXT-X-ENDLIST\n`);
    const streams = await probeStreams(playlist);
    expect(streams.map((stream) => stream.codec_name)).toEqual(codecs);
    const counts = ['video', 'audio']
      .map((kind) => packets.filter((packet) => packet.track.kind === kind).length)
      .filter((count) => count > 0);
    streams.forEach((stream, index) => {
      expect(Math.abs(Number(stream.nb_read_frames) - counts[index]!)).toBeLessThanOrEqual(
        stream.codec_name === 'mp3' ? 1 : 0,
      );
    });
    expect(await decodeErrors(playlist)).toBe('');
  });

  it('of audio only are cut by time', async () => {
    await start();
    send(rig.publish('s'), await encodePackets({ seconds: 12, audio: aac }));
    await vi.waitFor(() => expect(rig.segments).toHaveLength(3));
    const [first, second] = rig.segments;
    expect(first!.durationSeconds).toBeCloseTo(2, 1);
    expect(second!.durationSeconds).toBeCloseTo(4.2, 1);
  });

  it('are discontinuous after another publisher and another codec', async () => {
    await start();
    const first = rig.publish('s');
    send(first, clip);
    first.end('unpublished');
    const second = rig.publish('s');
    send(second, await encodePackets({ seconds: 5, video: h265 }));
    await vi.waitFor(() => expect(rig.segments).toHaveLength(7));
    await vi.waitFor(async () => {
      const text = await readFile(join(rig.folder, 'live/s.m3u8'), 'utf8');
      expect(durations(text)).toHaveLength(7);
      expect(text.split('#EXT-X-DISCONTINUITY\n')).toHaveLength(2);
    });
    expect(rig.segments.map((segment) => segment.sequenceNumber)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});

describe('a publisher that takes over', () => {
  it('continues in the same playlist, discontinuous, and its segments are reported as its own', async () => {
    await start();
    send(rig.publish('s'), clip);
    rig.clockShiftMs = 4000;
    const second = rig.publish('s');
    send(second, clip);
    second.end('unpublished');
    await vi.waitFor(() => expect(rig.segments).toHaveLength(10));
    expect((await fetch(`${rig.url}/live/s.m3u8`)).status).toBe(404);
    const file = await readFile(join(rig.folder, 'live/s.m3u8'), 'utf8');
    expect(file.split('#EXT-X-DISCONTINUITY\n')).toHaveLength(2);
    const total = rig.segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
    expect(total).toBeCloseTo(18, 1);
  });
});

describe('playlists with session contexts', () => {
  it('call the host once for concurrent requests of one viewer', async () => {
    await start();
    send(rig.publish('s'), clip);
    const url = `${rig.url}/live/s.m3u8?hls_ctx=together`;
    const responses = await Promise.all([fetch(url), fetch(url), fetch(url)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(rig.played).toHaveLength(1);
    await Promise.all([fetch(url), fetch(url)]);
    expect(rig.hub.clients(0).filter((client) => !client.publish)).toHaveLength(1);
  });

  it("reference the viewer's playlist from a master playlist", async () => {
    await start();
    send(rig.publish('s'), clip);
    const { master, mediaPath, media } = await openSession('/live/s.m3u8?token=a');
    expect(master).toMatch(
      /^#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=\d{4,},AVERAGE-BANDWIDTH=\d{4,}\n\.\.\/live\/s\.m3u8\?hls_ctx=[0-9a-z]{8}&token=a\n$/,
    );
    const context = /hls_ctx=(\w+)/.exec(mediaPath)![1]!;
    expect(media).toContain('#EXT-X-TARGETDURATION:2\n');
    for (const line of segmentLines(media))
      expect(line).toMatch(new RegExp(`^s-\\d+-\\d{13}\\.ts\\?hls_ctx=${context}$`));
    const segment = await fetch(`${rig.url}/live/${segmentLines(media)[0]}`);
    expect(segment.headers.get('content-type')).toBe('video/MP2T');
    const bytes = Buffer.from(await segment.arrayBuffer());
    expect(bytes.length % 188).toBe(0);
    expect(rig.played).toHaveLength(1);
    expect(rig.played[0]).toMatchObject({
      type: 'hls-play',
      app: 'live',
      stream: 's',
      param: '?token=a',
      clientId: context,
    });
  });

  it('count a viewer once, however many requests it sends, and drop it when it is inactive', async () => {
    await start({ windowSeconds: 10 });
    send(rig.publish('s'), clip);
    const { mediaPath } = await openSession('/live/s.m3u8');
    for (let round = 0; round < 3; round++) await fetch(rig.url + mediaPath);
    const viewers = () => rig.hub.clients(performance.now()).filter((client) => !client.publish);
    expect(viewers()).toHaveLength(1);
    expect(viewers()[0]!.sentBytes).toBeGreaterThan(0);
    rig.clockShiftMs = 7000;
    await vi.waitFor(() => expect(viewers()).toHaveLength(0), 3000);
    expect(rig.stopped).toHaveLength(0);
    expect((await fetch(rig.url + mediaPath)).status).toBe(200);
    expect(viewers()).toHaveLength(1);
    rig.clockShiftMs = 28_000;
    await vi.waitFor(() => expect(rig.stopped).toHaveLength(1), 3000);
    expect(rig.played).toHaveLength(1);
  });

  it('do not count clients that request only the first playlist, as probes and link previews do', async () => {
    await start();
    send(rig.publish('s'), clip);
    for (let round = 0; round < 5; round++) expect((await fetch(`${rig.url}/live/s.m3u8`)).status).toBe(200);
    const viewers = () => rig.hub.clients(performance.now()).filter((client) => !client.publish);
    expect(viewers()).toHaveLength(0);
    const { mediaPath } = await openSession('/live/s.m3u8');
    await fetch(rig.url + mediaPath);
    expect(viewers()).toHaveLength(1);
  });

  it('start a session for an unknown id', async () => {
    await start();
    send(rig.publish('s'), clip);
    const url = `${rig.url}/live/s.m3u8?hls_ctx=elsewher`;
    expect(await (await fetch(url)).text()).toContain('\n../live/s.m3u8?hls_ctx=elsewher\n');
    expect(await (await fetch(url)).text()).toContain('#EXTINF');
    expect(rig.played).toHaveLength(1);
  });

  it('return 404 for a viewer that was kicked', async () => {
    await start();
    send(rig.publish('s'), clip);
    const { mediaPath, media } = await openSession('/live/s.m3u8');
    expect(rig.hub.kick(rig.played[0]!.clientId)).toBe(true);
    expect((await fetch(rig.url + mediaPath)).status).toBe(404);
    expect((await fetch(`${rig.url}/live/${segmentLines(media)[0]}`)).status).toBe(404);
    expect(rig.stopped).toHaveLength(1);
    expect((await fetch(`${rig.url}/live/s.m3u8`)).status).toBe(200);
  });

  it('are refused when the host refuses the viewer', async () => {
    await start();
    send(rig.publish('s'), clip);
    rig.verdict = { allowed: false, reason: 'callback-refused', detail: 'no entry' };
    const response = await fetch(`${rig.url}/live/s.m3u8`);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ name: 'callback-refused', message: 'no entry' });
    expect(rig.hub.clients(0).filter((client) => !client.publish)).toHaveLength(0);
    expect(rig.stopped).toHaveLength(0);
  });

  it('wait for the first segment of a live stream', async () => {
    await start();
    const publication = rig.publish('s');
    const pending = fetch(`${rig.url}/live/s.m3u8`);
    send(publication, clip.slice(0, clip.length / 3));
    expect((await pending).status).toBe(200);
  });
});

describe('playlists without session contexts', () => {
  it('are the same for all, and cacheable', async () => {
    await start({ sessionContexts: false });
    send(rig.publish('s'), clip);
    const response = await fetch(`${rig.url}/live/s.m3u8`);
    const text = await response.text();
    expect(response.headers.get('content-type')).toBe('application/vnd.apple.mpegurl');
    expect(response.headers.get('cache-control')).toBe('public, max-age=10');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(text).toContain('#EXTINF');
    expect(text).not.toContain('hls_ctx');
    await vi.waitFor(async () => expect(await readFile(join(rig.folder, 'live/s.m3u8'), 'utf8')).toContain('#EXTINF'));
    expect(rig.played).toHaveLength(0);
  });

  it('may be cached for a second in the low-latency setting', async () => {
    await start({ sessionContexts: false, windowSeconds: 16 });
    send(rig.publish('s'), clip);
    expect((await fetch(`${rig.url}/live/s.m3u8`)).headers.get('cache-control')).toBe('public, max-age=1');
  });
});

describe('requests', () => {
  it('for parts of a segment get them', async () => {
    await start({ sessionContexts: false });
    send(rig.publish('s'), clip);
    const playlist = await (await fetch(`${rig.url}/live/s.m3u8`)).text();
    const url = `${rig.url}/live/${segmentLines(playlist)[0]}`;
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(whole.length));
    expect(head.headers.get('cache-control')).toBe('public, max-age=600');
    const part = await fetch(url, { headers: { range: 'bytes=100-40000' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 100-40000/${whole.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(100, 40_001))).toBe(true);
    const tail = await fetch(url, { headers: { range: 'bytes=-188' } });
    expect(Buffer.from(await tail.arrayBuffer()).equals(whole.subarray(-188))).toBe(true);
    expect((await fetch(url, { headers: { range: `bytes=${whole.length}-` } })).status).toBe(416);
    await vi.waitFor(() => expect(rig.segments.length).toBeGreaterThan(0));
    expect((await readFile(rig.segments[0]!.file)).equals(whole)).toBe(true);
  });

  it('get old segments from disk, with the same bytes', async () => {
    await start({ sessionContexts: false });
    const long = await encodePackets({ seconds: 8, video: h264WithBFrames, gop: 25 });
    send(rig.publish('s'), long);
    await vi.waitFor(() => expect(rig.segments).toHaveLength(4));
    const oldest = rig.segments[0]!;
    const whole = Buffer.from(await (await fetch(`${rig.url}/${oldest.url}`)).arrayBuffer());
    expect(whole.equals(await readFile(oldest.file))).toBe(true);
    const part = await fetch(`${rig.url}/${oldest.url}`, { headers: { range: 'bytes=188-375' } });
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(188, 376))).toBe(true);
  });

  it('for missing files are refused without leaving the folder', async () => {
    await start();
    await writeFile(join(rig.folder, '..', 'outside-0-1700000000000.ts'), 'secret');
    await symlink('/etc/hostname', join(rig.folder, 'link-0-1700000000000.ts'));
    expect((await fetch(`${rig.url}/live/none.m3u8`)).status).toBe(404);
    expect(await requestRaw('/live/../../outside-0-1700000000000.ts')).toBe(400);
    expect(await requestRaw('/live/%2e%2e%2f%2e%2e%2foutside-0-1700000000000.ts')).toBe(400);
    expect(await requestRaw('/live/none-0-1700000000000.ts')).toBe(404);
    expect(await requestRaw('/live/live-stream.ts')).toBe(418);
    expect((await fetch(`${rig.url}/live/s.m3u8`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${rig.url}/live/s.m3u8`, { method: 'OPTIONS' })).status).toBe(200);
  });

  it('for a codec that segments cannot carry get 415, logged once', async () => {
    await start();
    const track = videoTrackFromConfig('av1', Buffer.from([0x81, 0, 0, 0]));
    const publication = rig.publish('s');
    for (let index = 0; index < 20; index++) {
      publication.push({
        track,
        keyframe: true,
        dtsMs: index * 500,
        ptsMs: index * 500,
        payload: Buffer.from([0x12, 0]),
      });
    }
    const response = await fetch(`${rig.url}/live/s.m3u8`);
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ name: 'codec-unsupported' });
    const warnings = rig.log.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(warnings.filter((message) => message !== 'play refused')).toHaveLength(1);
    expect(warnings.at(-1)).toBe('play refused');
  });
});

describe('files', () => {
  it('are removed after they left the window and after the stream ended', async () => {
    await start({ windowSeconds: 4 });
    const publication = rig.publish('s');
    const span = 9_000;
    for (let round = 0; round < 3; round++) send(publication, clip, { shiftMs: round * span });
    await vi.waitFor(() => expect(rig.segments.length).toBeGreaterThanOrEqual(12));
    const { media } = await openSession('/live/s.m3u8');
    expect(durations(media).length).toBeLessThanOrEqual(5);
    expect(Number(/MEDIA-SEQUENCE:(\d+)/.exec(media)![1])).toBeGreaterThan(5);
    rig.clockShiftMs = 30_000;
    await vi.waitFor(async () => expect((await readdir(join(rig.folder, 'live'))).length).toBeLessThanOrEqual(6), 4000);
    publication.end('unpublished');
    expect((await fetch(`${rig.url}/live/s.m3u8`)).status).toBe(404);
    rig.clockShiftMs = 60_000;
    await vi.waitFor(async () => expect(await readdir(join(rig.folder, 'live'))).toEqual([]), 4000);
  });

  it('that a killed run left open get their final name with the written part, and empty ones are removed', async () => {
    const first = await start();
    const folder = join(first.folder, 'killed');
    await mkdir(folder, { recursive: true });
    const startedAtMs = Date.now() - 60_000;
    const packet = Buffer.alloc(188, 0x47);
    await writeFile(
      join(folder, `s-7-${startedAtMs}.ts.tmp`),
      Buffer.concat([packet, packet, packet.subarray(0, 100)]),
    );
    await writeFile(join(folder, `s-8-${startedAtMs}.ts.tmp`), packet.subarray(0, 100));
    const own = `s-9-${Date.now() + 60_000}.ts.tmp`;
    await writeFile(join(folder, own), packet);
    const second = await startHls({ path: first.folder });
    try {
      await vi.waitFor(async () =>
        expect((await readdir(folder)).sort()).toEqual([`s-7-${startedAtMs}.ts`, own].sort()),
      );
      expect(await readFile(join(folder, `s-7-${startedAtMs}.ts`))).toEqual(Buffer.concat([packet, packet]));
    } finally {
      await second.close();
    }
  });

  it('contain media up to a quarter of a second ago, in complete frames, while they are open', async () => {
    const { folder, publish } = await start();
    const publication = publish('open');
    for (let t = 0; t < 1_000; t += 40) publication.push(t === 0 ? keyframe(t) : video(t));
    const open = async () => (await readdir(join(folder, 'live'))).find((name) => name.endsWith('.ts.tmp'));
    await vi.waitFor(async () => expect(await open()).toBeDefined());
    const file = join(folder, 'live', (await open())!);
    const framesIn = (bytes: Buffer) => {
      let frames = 0;
      const demuxer = new TsDemuxer({
        onPacket: ({ track }) => {
          if (track.kind === 'video') frames++;
        },
        onTrack: () => {},
      });
      demuxer.push(bytes);
      demuxer.end();
      return frames;
    };
    await vi.waitFor(async () => expect(framesIn(await readFile(file))).toBeGreaterThanOrEqual(25 - 7));
  });

  it('of a previous run are removed at start, others stay', async () => {
    const first = await start();
    const folder = first.folder;
    await mkdir(join(folder, 'old'), { recursive: true });
    const ours = ['s-3-1600000000000.ts', 's-4-1600000002000.ts.tmp', 's.m3u8'];
    const unknownFiles = ['holiday.ts', 'list.m3u8', 'notes.txt'];
    for (const name of [...ours, ...unknownFiles]) await writeFile(join(folder, 'old', name), '');
    await writeFile(join(folder, 'old', 's.m3u8'), '#EXTM3U\n#EXTINF:2,\ns-3-1600000000000.ts\n');
    const before = new Date(Date.now() - 60_000);
    await utimes(join(folder, 'old', 's.m3u8'), before, before);
    await writeFile(join(folder, 'old', 'list.m3u8'), '#EXTM3U\n#EXTINF:2,\nholiday.ts\n');
    // A segment of the last minutes is kept, because a recording may not contain the segment yet.
    const young = `s-5-${Date.now() - 60_000}.ts`;
    await writeFile(join(folder, 'old', young), '');
    const second = await startHls({ path: folder });
    try {
      await vi.waitFor(async () =>
        expect((await readdir(join(folder, 'old'))).sort()).toEqual([...unknownFiles, young].sort()),
      );
      await vi.waitFor(async () => {
        second.clockShiftMs += 600_000;
        expect((await readdir(join(folder, 'old'))).sort()).toEqual(unknownFiles.sort());
      }, 20_000);
    } finally {
      await second.close();
    }
  });

  it('that cannot be written do not affect the stream, and cause one log line', async () => {
    await start();
    await writeFile(join(rig.folder, 'live'), 'a file where the folder should be');
    send(rig.publish('s'), clip);
    await vi.waitFor(() => expect(rig.log.filter((line) => line.level === 'error')).toHaveLength(1));
    const { media } = await openSession('/live/s.m3u8');
    await vi.waitFor(async () => expect(segmentLines((await openSession('/live/s.m3u8')).media)).toHaveLength(4));
    expect((await fetch(`${rig.url}/live/${segmentLines(media)[0]}`)).status).toBe(200);
    expect(rig.segments).toHaveLength(0);
    expect(rig.log.filter((line) => line.level === 'error')).toHaveLength(1);
  });

  it('restart with other settings, discontinuous for current viewers', async () => {
    await start();
    const publication = rig.publish('s');
    send(publication, clip);
    const { mediaPath, media } = await openSession('/live/s.m3u8');
    await rig.output.reconfigure({ ...rig.config, fragmentSeconds: 4 });
    send(publication, clip, { shiftMs: 9000 });
    const after = await (await fetch(rig.url + mediaPath)).text();
    const sequence = (text: string) => Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)![1]);
    expect(sequence(after)).toBeGreaterThan(sequence(media));
    expect(after).toContain('#EXT-X-DISCONTINUITY\n');
    expect((await fetch(`${rig.url}/live/${segmentLines(media)[0]}`)).status).toBe(200);
    await vi.waitFor(() => expect(rig.segments.at(-1)!.durationSeconds).toBeCloseTo(4, 1));
    await rig.output.reconfigure({ ...rig.config, enabled: false });
    expect((await fetch(`${rig.url}/live/s.m3u8`)).status).toBe(404);
  });
});
