// HLS sources: playlists and segments of FFmpeg, live and finished, and servers that fail in every way.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { describe, expect, it } from 'vitest';
import { type HlsOrigin, startHlsOrigin } from './hls-origin.ts';
import { openPulls, order } from './pull-rig.ts';
import { start, until } from './rtmp-server.ts';
import { sendWithFfmpeg } from './ts-senders.ts';

const key = (stream: string) => ({ vhost: defaultVhost, app: 'live', stream });
const hls = ['-f', 'hls', '-hls_time', '1'];

/** Lets FFmpeg write a live stream. Resolves when a player could start. */
async function goLive({ folder }: HlsOrigin, ...options: string[]) {
  const live = ['-hls_list_size', '5', '-hls_flags', 'delete_segments+temp_file'];
  const run = sendWithFfmpeg(...hls, ...live, ...options, join(folder, 'live.m3u8'));
  await until(
    () =>
      existsSync(join(folder, 'live.m3u8')) &&
      readFileSync(join(folder, 'live.m3u8'), 'utf8').split('#EXTINF').length > 3,
  );
  return run;
}

/** Records a finished stream of `seconds` as `name.m3u8`. */
async function record({ folder }: HlsOrigin, name: string, seconds: number, ...options: string[]): Promise<void> {
  const input = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25', '-c:a', 'aac'];
  const target = ['-hls_list_size', '0', ...options, join(folder, `${name}.m3u8`)];
  const { code, stderr } = await start('ffmpeg', [
    '-v',
    'error',
    ...input,
    '-t',
    String(seconds),
    ...codecs,
    ...hls,
    ...target,
  ]).done;
  if (code !== 0) throw new Error(stderr);
}

describe('an HLS source', () => {
  it('that is live is published at the pace of its media, from near the end of its playlist', async () => {
    const origin = await startHlsOrigin();
    await goLive(origin);
    const rig = await openPulls();
    rig.pulls.configure([order('a', `${origin.url}/live.m3u8`)]);
    await rig.frames('a', 10);
    const stream = rig.server.hub.find(key('a'))!;
    expect([stream.video?.codec, stream.audio?.codec]).toEqual(['h264', 'aac']);
    const [frames, beganMs] = [stream.stats.frames, performance.now()];
    await rig.frames('a', frames + 150);
    const seconds = (performance.now() - beganMs) / 1_000;
    // Without pacing, whole segments would arrive at once, and 150 frames would take less than 5 s.
    expect(seconds).toBeGreaterThan(5);
    expect(rig.rowOf('a')).toMatchObject({ state: 'pulling', reconnects: 0, reason: 'none' });
    // The playlist is requested about once per segment.
    const playlists = origin.requests.filter((path) => path.endsWith('.m3u8')).length;
    expect(playlists).toBeLessThan(seconds * 2 + 6);
  });

  it('that has ended is played whole, once, in real time, and then again', async () => {
    const origin = await startHlsOrigin();
    await record(origin, 'film', 4);
    const rig = await openPulls();
    rig.pulls.configure([order('a', `${origin.url}/film.m3u8`)]);
    const row = await rig.untilReason('a', 'connection-closed');
    expect(row).toMatchObject({ fault: 'playlist-ended', receivedFrames: 100 });
    await until(() => rig.rowOf('a').state === 'pulling');
  });

  it('with variants is pulled in its best one, over a redirect, with the cookies and the password of its server', async () => {
    const heads: Record<string, string | undefined>[] = [];
    const origin = await startHlsOrigin((path, response, { headers }) => {
      heads.push({ path, authorization: headers.authorization, cookie: headers.cookie });
      if (path === '/start.m3u8') {
        response.writeHead(302, { location: '/master.m3u8', 'set-cookie': 'session=7; Path=/' }).end();
      } else if (path === '/master.m3u8') {
        const codecs = 'CODECS="avc1.42c00c,mp4a.40.2"';
        response.end(
          [
            '#EXTM3U',
            `#EXT-X-STREAM-INF:BANDWIDTH=900,${codecs}`,
            'poor.m3u8',
            `#EXT-X-STREAM-INF:BANDWIDTH=9000,${codecs}`,
            'live.m3u8',
          ].join('\n'),
        );
      } else return false;
      return true;
    });
    await goLive(origin);
    const rig = await openPulls();
    rig.pulls.configure([order('a', origin.url.replace('//', '//user:pass%40word@').concat('/start.m3u8'))]);
    await rig.frames('a', 30);
    expect(origin.requests).not.toContain('/poor.m3u8');
    expect(heads.at(-1)).toMatchObject({ cookie: 'session=7', authorization: `Basic ${btoa('user:pass@word')}` });
  });

  it('whose timestamps and codecs change at a discontinuity continues', async () => {
    const origin = await startHlsOrigin();
    await Promise.all([
      record(origin, 'one', 3),
      record(origin, 'two', 3, '-s', '640x360', '-output_ts_offset', '5000'),
    ]);
    const segments = (name: string) => {
      const text = readFileSync(join(origin.folder, `${name}.m3u8`), 'utf8');
      return text.slice(text.indexOf('#EXTINF'), text.indexOf('#EXT-X-ENDLIST'));
    };
    const head = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n';
    const text = `${head}${segments('one')}#EXT-X-DISCONTINUITY\n${segments('two')}#EXT-X-ENDLIST\n`;
    origin.onRequest = (path, response) => path === '/both.m3u8' && response.end(text);
    const rig = await openPulls();
    rig.pulls.configure([order('a', `${origin.url}/both.m3u8`)]);
    const widths = new Set<number | undefined>();
    await until(() => {
      widths.add(rig.server.hub.find(key('a'))?.video?.width);
      return rig.rowOf('a').reason === 'connection-closed';
    });
    expect([...widths].filter((width) => width !== undefined)).toEqual([320, 640]);
    expect(rig.rowOf('a').receivedFrames).toBe(150);
  });

  it('that loses a segment continues with the next one', async () => {
    const origin = await startHlsOrigin();
    await record(origin, 'film', 5);
    origin.onRequest = (path, response) => path === '/film2.ts' && response.writeHead(404).end();
    const rig = await openPulls();
    rig.pulls.configure([order('a', `${origin.url}/film.m3u8`)]);
    expect(await rig.untilReason('a', 'connection-closed')).toMatchObject({
      receivedFrames: 100,
      fault: 'playlist-ended',
    });
  });

  it('that stops counts as a stall, and is on the air again once it continues', async () => {
    const origin = await startHlsOrigin();
    const encoder = await goLive(origin);
    const rig = await openPulls();
    rig.pulls.configure([order('a', `${origin.url}/live.m3u8`)]);
    await rig.frames('a', 10);
    encoder.kill();
    await until(() => rig.rowOf('a').receivedFrames > 40);
    rig.skip(60_000);
    await rig.untilReason('a', 'stalled');
    await goLive(origin);
    await until(() => rig.rowOf('a').state === 'pulling');
  });

  it('on demand ends by the decision of this server, so that no slate follows', async () => {
    const origin = await startHlsOrigin();
    await record(origin, 'film', 5);
    const rig = await openPulls();
    const reasons: string[] = [];
    rig.server.hub.onStreamEnd((_stream, reason) => reasons.push(reason));
    rig.pulls.configure([order('a', `${origin.url}/film.m3u8`, { onDemand: true })]);
    rig.pulls.request(key('a'), 0);
    await rig.frames('a', 5);
    rig.skip(11_000);
    await until(() => reasons.length > 0);
    expect(reasons).toEqual(['kicked']);
  });

  it('gets a password with a percent sign as it was entered', async () => {
    const seen: (string | undefined)[] = [];
    const origin = await startHlsOrigin((_path, response, { headers }) => {
      seen.push(headers.authorization);
      response.writeHead(404).end();
      return true;
    });
    const rig = await openPulls();
    rig.pulls.configure([order('a', origin.url.replace('//', '//user:100%@').concat('/a.m3u8'))]);
    await rig.untilReason('a', 'not-found');
    expect(seen).toEqual([`Basic ${btoa('user:100%')}`]);
  });

  it.each([
    ['fragmented MP4', ['-hls_segment_type', 'fmp4'], 'EXT-X-MAP'],
    ['byte ranges', ['-hls_flags', 'single_file'], 'EXT-X-BYTERANGE'],
  ])('with %s is left to FFmpeg', async (_name, options, subject) => {
    const origin = await startHlsOrigin();
    await record(origin, 'film', 2, ...options);
    const rig = await openPulls();
    rig.pulls.configure([order('a', `${origin.url}/film.m3u8`)]);
    expect(await rig.untilReason('a', 'codec-unsupported')).toMatchObject({ fault: 'needs-ffmpeg', subject });
    expect(rig.hostCalls).toEqual([]);
  });
});

const media = (...segments: string[]) =>
  ['#EXTM3U', '#EXT-X-TARGETDURATION:1', ...segments.flatMap((uri) => ['#EXTINF:1,', uri]), '#EXT-X-ENDLIST'].join(
    '\n',
  );
const forwarding =
  (location: string): HlsOrigin['onRequest'] =>
  (_path, response) => {
    response.writeHead(302, { location }).end();
    return true;
  };
const respondingWith =
  (...bodies: (string | Buffer)[]): HlsOrigin['onRequest'] =>
  (path, response) => {
    response.end(path.endsWith('.m3u8') ? bodies[0] : bodies[1]);
    return true;
  };

describe('an HLS server that', () => {
  it.each([
    ['has no such path', (_path, response) => response.writeHead(404).end(), { reason: 'not-found' }],
    ['refuses', (_path, response) => response.writeHead(403).end(), { reason: 'not-authorized' }],
    [
      'is broken',
      (_path, response) => response.writeHead(500).end(),
      { reason: 'failed', detail: 'the source returned HTTP 500' },
    ],
    ['closes', (_path, response) => response.socket?.destroy(), { reason: 'connection-closed' }],
    ['responds with a web page', respondingWith('<html>'), { reason: 'input-invalid', fault: 'playlist-invalid' }],
    [
      'sends an endless playlist',
      (_path, response) => {
        response.write('#EXTM3U\n#EXT-X-TARGETDURATION:1\n');
        const more = () => {
          while (!response.destroyed && response.write('#EXTINF:1,\nsegment.ts\n'.repeat(1_000)));
        };
        response.on('drain', more);
        more();
        return true;
      },
      { reason: 'input-invalid', fault: 'playlist-invalid' },
    ],
    ['redirects to itself', forwarding('/live.m3u8'), { reason: 'failed', fault: 'redirects-in-circle' }],
    ['redirects elsewhere', forwarding('rtsp://127.0.0.1/a'), { reason: 'failed', fault: 'redirects-elsewhere' }],
    ['redirects to a forbidden address', forwarding('http://169.254.169.254/a.m3u8'), { reason: 'address-refused' }],
    [
      'has a segment at a forbidden address',
      respondingWith(media('http://169.254.169.254/')),
      { reason: 'address-refused' },
    ],
    ['has a segment in a file', respondingWith(media('file:///etc/passwd')), { reason: 'input-invalid' }],
    ['has packed audio', respondingWith(media('a.aac'), Buffer.from('ID3\u0004')), { fault: 'needs-ffmpeg' }],
    [
      'is encrypted',
      respondingWith(media('a.ts').replace('#EXTINF', '#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF')),
      { fault: 'needs-ffmpeg' },
    ],
  ] as [string, HlsOrigin['onRequest'], object][])('%s has its reason', async (_name, onRequest, expected) => {
    const origin = await startHlsOrigin(onRequest);
    const rig = await openPulls({ mayContact: (address) => address === '127.0.0.1' });
    rig.pulls.configure([order('a', `${origin.url}/live.m3u8`)]);
    await until(() => rig.rowOf('a').reason !== 'none');
    expect(rig.rowOf('a')).toMatchObject({ state: 'retrying', ...expected });
  });

  it('sends no response, or a few bytes at a time, is disconnected', async () => {
    const [silent, dripping] = [
      await startHlsOrigin(() => true),
      await startHlsOrigin((_path, response) => {
        const timer = setInterval(() => response.write('#EXTM3U\n'), 20);
        response.on('close', () => clearInterval(timer));
        return true;
      }),
    ];
    const rig = await openPulls();
    rig.pulls.configure([order('a', `${silent.url}/a.m3u8`), order('b', `${dripping.url}/a.m3u8`)]);
    await until(() => silent.requests.length === 1 && dripping.requests.length === 1);
    rig.skip(30_000);
    for (const id of ['a', 'b']) await rig.untilReason(id, 'timeout');
  });

  it('sends garbage instead of segments is reported with a reason', async () => {
    const origin = await startHlsOrigin(respondingWith(media('a.ts', 'b.ts'), Buffer.alloc(50_000, 0x55)));
    const rig = await openPulls();
    rig.pulls.configure([order('a', `${origin.url}/a.m3u8`)]);
    expect(await rig.untilReason('a', 'input-invalid')).toMatchObject({ fault: 'not-mpegts' });
  });
});
