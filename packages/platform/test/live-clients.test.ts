// Calls for the clients of a stream: list, disconnect, and the preview image, against a media server over HTTP.
import { execFileSync } from 'node:child_process';
import { maxClientRows } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { liveClientsCacheMs } from '../src/streams/live-clients.ts';
import { srsStream } from '../src/testing/media-server-double.ts';
import { openTestPlatform, type TestPlatform } from '../src/testing/test-platform.ts';

let platform: TestPlatform;

beforeEach(async () => {
  platform = await openTestPlatform();
});
afterEach(() => platform.dispose());

const later = () => {
  platform.clock.nowMs += liveClientsCacheMs;
};

function client(id: string, type: string, fields: object = {}) {
  return {
    id,
    vhost: 'vid-default',
    stream: 'vid-a',
    ip: '10.0.0.2',
    pageUrl: 'http://example.com/',
    type,
    publish: type.endsWith('publish'),
    alive: 61.5,
    send_bytes: 2_000,
    recv_bytes: 10,
    kbps: { recv_30s: 1, send_30s: 800 },
    ...fields,
  };
}

const list = async (streamId = 'vid-a') => (await platform.call('queryLiveClients', { streamId })).body.data;

describe('the clients of a stream', () => {
  it('are only those of that stream, with measurements of the built-in engine', async () => {
    const ext = { droppedFrames: 3, queuedBytes: 4_000, userAgent: 'VLC/3', detail: { rttMs: 12 } };
    platform.mediaServer.clients = [
      client('p1', 'srt-publish'),
      client('v1', 'flv-play', { ext }),
      client('v2', 'hls-play', { stream: 'vid-b' }),
    ];
    const { clients, total } = await list();
    expect(total).toBe(2);
    expect(clients[0]).toMatchObject({ id: 'p1', protocol: 'srt', isPublisher: true, kbps: 1, userAgent: '' });
    expect(clients[1]).toEqual({
      id: 'v1',
      streamId: 'vid-a',
      protocol: 'flv',
      isPublisher: false,
      ip: '10.0.0.2',
      userAgent: 'VLC/3',
      pageUrl: 'http://example.com/',
      uptimeMs: 61_500,
      sentBytes: 2_000,
      receivedBytes: 10,
      kbps: 800,
      queuedBytes: 4_000,
      droppedFrames: 3,
      detail: { rttMs: 12 },
    });
    expect(await list('vid-none')).toEqual({ clients: [], total: 0 });
  });

  it('are at most a thousand rows, but all are counted', async () => {
    platform.mediaServer.clients = Array.from({ length: maxClientRows + 5 }, (_, index) =>
      client(`v${index}`, 'flv-play'),
    );
    const { clients, total } = await list();
    expect([clients.length, total]).toEqual([maxClientRows, maxClientRows + 5]);
  });

  it('no longer contain a kicked one, and the audit trail names it', async () => {
    platform.mediaServer.clients = [client('v1', 'flv-play'), client('v2', 'flv-play')];
    await list();
    expect((await platform.call('kickLiveClient', { id: 'v1' })).status).toBe(200);
    expect(platform.mediaServer.requests).toContain('DELETE /api/v1/clients/v1');
    expect((await list()).clients.map((row: { id: string }) => row.id)).toEqual(['v2']);
    later();
    expect((await list()).total).toBe(1);
    const { entries } = (await platform.call('queryAudit', {})).body.data;
    expect(entries[0]).toMatchObject({ action: 'stream-kicked', detail: 'connection v1' });
  });

  it('may have disconnected already when they are kicked', async () => {
    expect((await platform.call('kickLiveClient', { id: 'gone' })).status).toBe(200);
  });

  it('cannot be listed while the media server is down', async () => {
    await platform.mediaServer.close();
    const { status, body } = await platform.call('queryLiveClients', { streamId: 'vid-a' });
    expect([status, body.data.name]).toEqual([502, 'mediaServerUnreachable']);
  });
});

describe('the preview image of a stream', () => {
  it('is a small JPEG of its keyframe, made by FFmpeg', async () => {
    const flv = execFileSync('ffmpeg', [
      ...['-hide_banner', '-loglevel', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25'],
      ...['-frames:v', '1', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-f', 'flv', 'pipe:1'],
    ]);
    platform.mediaServer.streams = [srsStream('a', 'c1')];
    platform.mediaServer.keyframes.set('vid-a', flv);
    const { picture } = (await platform.call('queryStreamPicture', { streamId: 'vid-a' })).body.data;
    const jpeg = Buffer.from(picture.replace('data:image/jpeg;base64,', ''), 'base64');
    expect(jpeg.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    const probe = ['-v', 'error', '-f', 'mjpeg', '-show_entries', 'stream=width,height', '-of', 'csv=p=0', '-'];
    expect(execFileSync('ffprobe', probe, { input: jpeg }).toString().trim()).toBe('320,180');
  });

  it('does not exist on a media server without keyframe access', async () => {
    expect((await platform.call('queryStreamPicture', { streamId: 'vid-x' })).body.data).toEqual({ picture: null });
  });
});
