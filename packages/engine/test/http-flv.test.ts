import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { videoTrackFromConfig } from '@srs-stack/media/codecs/video-track.ts';
import { parseMetadata, writeMetadata } from '@srs-stack/media/containers/flv/script-data.ts';
import { audio, h264Config, keyframe, video } from '@srs-stack/media/testing/media.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { FlvReader, type FlvRig, startFlvRig, watchHttp } from './flv-rig.ts';
import { until } from './rtmp-server.ts';

let rig: FlvRig;
afterEach(() => rig.close());

async function get(method: string, path: string) {
  const call = request({ port: rig.port, path, method, agent: false });
  call.end();
  const [response] = await once(call, 'response');
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts).toString() };
}

describe('HTTP-FLV', () => {
  it('starts a late joiner with metadata, headers and the last keyframe, then continues live', async () => {
    rig = await startFlvRig();
    const publication = rig.publish();
    publication.setMetadata({ width: 1280 });
    for (const packet of [keyframe(0), audio(5), video(40), keyframe(80), audio(85), video(120)])
      publication.push(packet);
    const viewer = await watchHttp(rig);
    expect(viewer.response.headers).toMatchObject({
      'content-type': 'video/x-flv',
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'access-control-allow-methods': '*',
      'access-control-expose-headers': '*',
      'access-control-allow-credentials': 'true',
    });
    await until(() => viewer.flv.videoTimes.length === 2);
    publication.push(video(160));
    await until(() => viewer.flv.videoTimes.length === 3);
    expect(viewer.flv.flags).toBe(5);
    expect(viewer.flv.tags.slice(0, 3).map(({ type }) => type)).toEqual([18, 9, 8]);
    expect(viewer.flv.videoTimes).toEqual([80, 120, 160]);
    expect(viewer.flv.media(8).map(({ timestampMs }) => timestampMs)).toEqual([85]);
  });

  it('sends the response head, the headers and the GOP in one write, and only the head while there is none', async () => {
    rig = await startFlvRig();
    const writes: number[] = [];
    rig.server.on('connection', (socket) => {
      const { _writev, _write } = socket as unknown as Record<string, (...args: unknown[]) => void>;
      Object.assign(socket, {
        _writev: (chunks: unknown[], ...rest: unknown[]) => {
          writes.push(chunks.length);
          _writev?.call(socket, chunks, ...rest);
        },
        _write: (...args: unknown[]) => {
          writes.push(1);
          _write?.apply(socket, args);
        },
      });
    });
    const publication = rig.publish();
    const early = await watchHttp(rig);
    expect(writes).toEqual([1]);
    for (const packet of [keyframe(0), audio(5), video(40)]) publication.push(packet);
    await until(() => early.flv.videoTimes.length === 2);
    writes.length = 0;
    const late = await watchHttp(rig);
    await until(() => late.flv.videoTimes.length === 2);
    expect(writes).toHaveLength(1);
    expect(writes[0]).toBeGreaterThan(2);
  });

  it('keeps the GOP for a viewer that joins soon after the last one left, with all later packets', async () => {
    rig = await startFlvRig();
    const publication = rig.publish();
    for (const packet of [keyframe(0), audio(5), video(40)]) publication.push(packet);
    const first = await watchHttp(rig);
    await until(() => first.flv.videoTimes.length === 2);
    first.response.destroy();
    await until(() => rig.hub.players.size === 0);
    for (const packet of [video(80), keyframe(120), audio(125), video(160)]) publication.push(packet);
    const second = await watchHttp(rig);
    await until(() => second.flv.videoTimes.length === 2);
    publication.push(video(200));
    await until(() => second.flv.videoTimes.length === 3);
    expect(second.flv.videoTimes).toEqual([120, 160, 200]);
    expect(second.flv.media(8).map(({ timestampMs }) => timestampMs)).toEqual([125]);
  });

  it('within a GOP that exceeded the cache a new viewer gets headers and audio immediately, and then video', async () => {
    rig = await startFlvRig({ config: { gopCache: { maxBytes: 1e6, maxDurationMs: 1_000 } } });
    const publication = rig.publish();
    publication.push(keyframe(0));
    for (let t = 40; t <= 2_000; t += 40) {
      publication.push(video(t));
      publication.push(audio(t + 5));
    }
    const first = await watchHttp(rig);
    publication.push(audio(2_035));
    publication.push(video(2_040));
    await until(() => first.flv.media(8).length >= 1 && first.flv.videoTimes.length >= 1);
    expect(first.flv.tags.slice(0, 2).map(({ type, body }) => [type, body[1]])).toEqual([
      [9, 0],
      [8, 0],
    ]);
    const second = await watchHttp(rig);
    publication.push(audio(2_075));
    publication.push(keyframe(2_080));
    await until(() => second.flv.videoTimes.includes(2_080) && first.flv.videoTimes.includes(2_080));
    expect(second.flv.media(8).map(({ timestampMs }) => timestampMs)).toContain(2_075);
  });

  it('does not announce a duration or file size of a live stream', async () => {
    rig = await startFlvRig();
    const publication = rig.publish();
    publication.push(keyframe(0));
    publication.push(audio(5));
    publication.setMetadata(parseMetadata(writeMetadata({ width: 1280, duration: 0, filesize: 5 }))!);
    const viewer = await watchHttp(rig);
    await until(() => viewer.flv.tags.length >= 3);
    expect(parseMetadata(viewer.flv.tags[0]!.body)).toEqual({ width: 1280 });
    expect(viewer.flv.tags[0]!.body.includes('duration')).toBe(false);
  });

  it.each([
    ['video', 1, (t: number) => (t % 1000 === 0 ? keyframe(t) : video(t))],
    ['audio', 4, (t: number) => audio(t)],
  ] as const)('names no absent track: %s only', async (_kind, flags, packetAt) => {
    rig = await startFlvRig();
    const publication = rig.publish();
    publication.push(packetAt(0));
    const viewer = await watchHttp(rig);
    for (let t = 20; t <= 1200; t += 20) publication.push(packetAt(t));
    await until(() => viewer.flv.tags.length > 5);
    expect(viewer.flv.flags).toBe(flags);
  });

  it('waits for the second track before it sends the header', async () => {
    rig = await startFlvRig();
    const publication = rig.publish();
    publication.push(keyframe(0));
    const viewer = await watchHttp(rig);
    publication.push(video(40));
    expect(viewer.flv.flags).toBeUndefined();
    publication.push(audio(50));
    await until(() => viewer.flv.media(8).length === 1);
    expect(viewer.flv.flags).toBe(5);
    expect(viewer.flv.videoTimes).toEqual([0, 40]);
    expect(viewer.flv.tags.filter(({ body }) => body[1] === 0)).toHaveLength(2);
  });

  it('gives clear errors for streams that cannot be played', async () => {
    rig = await startFlvRig({
      config: { maxConnections: 2 },
      ports: {
        authorizePlay: async ({ param }) =>
          param ? { allowed: false, reason: 'callback-refused', detail: 'no' } : { allowed: true },
      },
    });
    expect(await get('GET', '/live/nobody.flv')).toMatchObject({
      status: 404,
      headers: { 'access-control-allow-origin': '*' },
    });
    expect(JSON.parse((await get('GET', '/live/nobody.flv')).body)).toMatchObject({ name: 'stream-not-found' });
    expect((await get('GET', '/live/..%00.flv')).status).toBe(400);
    rig.publish().push(keyframe(0));
    expect((await get('GET', '/live/s.flv?token=x')).status).toBe(403);
    expect((await get('POST', '/live/s.flv')).status).toBe(405);
    expect(await get('HEAD', '/live/s.flv')).toMatchObject({ status: 200, headers: { 'content-type': 'video/x-flv' } });
    expect((await get('OPTIONS', '/live/s.flv')).status).toBe(204);
    rig.publish({ stream: 't' });
    expect((await get('GET', '/live/s.flv')).status).toBe(503);
    expect(rig.refusals.all().map(({ reason }) => reason)).toEqual([
      'limit-reached',
      'callback-refused',
      'name-invalid',
    ]);
  });

  it('keeps viewers through a reconnect: time continues, the new video starts with a keyframe', async () => {
    rig = await startFlvRig();
    const first = rig.publish();
    for (const packet of [keyframe(0), audio(5), video(40)]) first.push(packet);
    const viewer = await watchHttp(rig);
    await until(() => viewer.flv.videoTimes.length === 2);
    first.end('error');
    const second = rig.publish({ clientId: 'pub00002' });
    for (const packet of [video(0), keyframe(40), video(80)]) second.push(packet);
    await until(() => viewer.flv.videoTimes.length === 4);
    expect(viewer.flv.videoTimes).toEqual([0, 40, 120, 160]);
    expect(viewer.flv.media(9)[2]?.body[0]).toBe(0x17);
  });

  it('forwards times that wrap at 2^32 without a step', async () => {
    rig = await startFlvRig();
    const publication = rig.publish();
    publication.push(keyframe(2 ** 32 - 60));
    publication.push(audio(2 ** 32 - 55));
    const viewer = await watchHttp(rig);
    publication.push(video(2 ** 32 - 20));
    publication.push(video(20));
    publication.push(audio(9));
    await until(() => viewer.flv.videoTimes.length === 3 && viewer.flv.media(8).length === 2);
    expect(viewer.flv.videoTimes).toEqual([1000, 1040, 1080]);
    expect(viewer.flv.media(8).map(({ timestampMs }) => timestampMs)).toEqual([1005, 1069]);
  });

  it('drops whole GOPs for a viewer that does not read, without effect on others', async () => {
    const limits = { maxBytes: 2 * 1024 * 1024, maxDurationMs: 60_000 };
    rig = await startFlvRig({ config: { viewerQueue: limits } });
    const publication = rig.publish();
    publication.push(keyframe(0));
    publication.push(audio(1));
    const fast = await watchHttp(rig);
    const slow = await watchHttp(rig);
    await until(() => slow.flv.videoTimes.length === 1);
    slow.response.pause();
    let frames = 1;
    const stats = () => rig.hub.clients(performance.now()).filter(({ publish }) => !publish);
    while (stats().every(({ droppedFrames }) => droppedFrames === 0)) {
      const packet = frames % 20 === 0 ? keyframe : video;
      publication.push(packet(frames * 40, { bytes: 60_000 }));
      frames++;
      await until(() => fast.flv.videoTimes.length === frames);
      for (const { queuedBytes } of stats()) expect(queuedBytes).toBeLessThan(limits.maxBytes + 1024 * 1024);
    }
    slow.response.resume();
    publication.push(keyframe(frames * 40));
    await until(() => slow.flv.videoTimes.at(-1) === frames * 40 && fast.flv.videoTimes.length === frames + 1);
    expect(fast.flv.videoTimes).toEqual(Array.from({ length: frames + 1 }, (_, i) => i * 40));
    const times = slow.flv.videoTimes;
    const gapAt = times.findIndex((time, i) => i > 0 && time - times[i - 1]! > 40);
    expect(slow.flv.media(9)[gapAt]?.body[0]).toBe(0x17);
    const dropped = stats().map(({ droppedFrames }) => droppedFrames);
    expect(dropped).toContain(frames + 1 - times.length);
    expect(dropped).toContain(0);
  });

  it('shows current viewers the new video when the encoder changes its size', async () => {
    rig = await startFlvRig();
    const changed = Buffer.from(h264Config);
    changed[3] = 0x1f;
    const track = videoTrackFromConfig('h264', changed);
    const publication = rig.publish();
    for (const packet of [keyframe(0), audio(5)]) publication.push(packet);
    const viewer = await watchHttp(rig);
    await until(() => viewer.flv.videoTimes.length === 1);
    publication.setTrack(track);
    for (const packet of [video(40, { track }), keyframe(80, { track }), video(120, { track })])
      publication.push(packet);
    await until(() => viewer.flv.videoTimes.length === 3);
    const bodies = viewer.flv.tags.filter(({ type }) => type === 9).map(({ body }) => body);
    expect(bodies.map((body) => body.toString('hex', 0, 2))).toEqual(['1700', '1701', '1700', '1701', '2701']);
    expect(bodies[2]?.subarray(5)).toEqual(changed);
  });

  it('disconnects a viewer that reads nothing for half a minute', async () => {
    rig = await startFlvRig();
    const publication = rig.publish();
    for (const packet of [keyframe(0), audio(1)]) publication.push(packet);
    const viewer = await watchHttp(rig);
    await until(() => viewer.flv.videoTimes.length === 1);
    viewer.response.pause();
    const queued = () => rig.hub.clients(0)[1]?.queuedBytes ?? 0;
    for (let i = 1; queued() < 1_000_000; i++) {
      publication.push(video(i * 10, { bytes: 200_000 }));
      await new Promise((resolve) => setImmediate(resolve));
    }
    rig.skip(20_000);
    publication.push(video(20_000));
    expect(rig.hub.totals().connections).toBe(2);
    rig.skip(11_000);
    publication.push(video(31_000));
    await until(() => rig.hub.totals().connections === 1);
    expect(rig.stopped).toHaveLength(1);
  });

  it('ends a kicked viewer and reports it once', async () => {
    rig = await startFlvRig();
    const publication = rig.publish();
    publication.push(keyframe(0));
    publication.push(audio(5));
    const viewer = await watchHttp(rig);
    await until(() => viewer.flv.videoTimes.length === 1);
    const [client] = rig.hub.clients(0).filter(({ publish }) => !publish);
    expect(client?.session).toMatchObject({ type: 'flv-play', ip: '127.0.0.1', app: 'live', stream: 's' });
    expect(rig.hub.kick(client!.session.clientId)).toBe(true);
    await viewer.closed;
    await until(() => rig.stopped.length > 0);
    publication.push(video(40));
    expect(rig.stopped.map(({ clientId }) => clientId)).toEqual([client!.session.clientId]);
    expect(rig.hub.totals().connections).toBe(1);
  });

  it('ends viewers some time after their publisher unpublished', async () => {
    rig = await startFlvRig();
    const publication = rig.publish();
    publication.push(keyframe(0));
    publication.push(audio(5));
    const viewer = await watchHttp(rig);
    await until(() => viewer.flv.videoTimes.length === 1);
    publication.end('unpublished');
    rig.skip(9000);
    expect(rig.hub.totals().connections).toBe(1);
    rig.skip(2000);
    await viewer.closed;
    await until(() => rig.hub.totals().connections === 0);
    expect(rig.hub.streams(0)).toEqual([]);
  });

  it('removes a viewer that leaves during the call of the host', async () => {
    let allow = () => {};
    const authorization = new Promise<void>((resolve) => {
      allow = resolve;
    });
    rig = await startFlvRig({ ports: { authorizePlay: () => authorization.then(() => ({ allowed: true })) } });
    rig.publish().push(keyframe(0));
    const call = request({ port: rig.port, path: '/live/s.flv', agent: false });
    call.on('error', () => {});
    call.end();
    const [, response] = (await once(rig.server, 'request')) as [unknown, import('node:http').ServerResponse];
    call.destroy();
    await once(response, 'close');
    allow();
    await until(() => rig.stopped.length === 1);
    expect(rig.hub.totals().connections).toBe(1);
  });
});

describe('WebSocket-FLV', () => {
  async function open(path = '/live/s.flv') {
    const socket = new WebSocket(`ws://127.0.0.1:${rig.port}${path}`);
    const flv = new FlvReader();
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) throw new Error('text message');
      flv.push(data);
    });
    return { socket, flv };
  }

  it('carries the same tags in binary messages of every size', async () => {
    rig = await startFlvRig();
    const publication = rig.publish();
    publication.push(keyframe(0, { bytes: 200_000 }));
    publication.push(audio(5));
    const { socket, flv } = await open();
    const http = await watchHttp(rig);
    await until(() => flv.videoTimes.length === 1 && http.flv.videoTimes.length === 1);
    for (let i = 1; i <= 5; i++) {
      publication.push(video(i * 40, { bytes: 10 ** i }));
      await until(() => flv.videoTimes.length === i + 1 && http.flv.videoTimes.length === i + 1);
    }
    expect(flv.tags).toEqual(http.flv.tags);
    socket.ping();
    await once(socket, 'pong');
    socket.close();
    await until(() => rig.stopped.length === 1);
  });

  it('is refused before the handshake, and closed with a code at the end', async () => {
    rig = await startFlvRig();
    const refused = await open('/live/nobody.flv');
    const [, response] = await once(refused.socket, 'unexpected-response');
    expect(response.statusCode).toBe(404);
    refused.socket.on('error', () => {});
    refused.socket.terminate();
    const publication = rig.publish();
    publication.push(keyframe(0));
    publication.push(audio(5));
    const { socket, flv } = await open();
    await until(() => flv.videoTimes.length === 1);
    const closed = once(socket, 'close');
    rig.hub.kick(rig.hub.clients(0).find(({ publish }) => !publish)!.session.clientId);
    expect((await closed)[0]).toBe(1001);
  });

  /** A WebSocket ping of a client, with `number` as payload (four bytes) and a mask of zeros. */
  const pingOf = (number: number): Buffer => {
    const frame = Buffer.from('8984000000000000abcd', 'hex');
    frame.writeUInt32BE(number, 6);
    return frame;
  };
  const rawOf = (socket: WebSocket) => (socket as unknown as { _socket: Socket })._socket;

  it('responds to a full read of pings with one per turn of the event loop, and the newest', async () => {
    rig = await startFlvRig();
    const publication = rig.publish();
    for (const packet of [keyframe(0), audio(5)]) publication.push(packet);
    const { socket, flv } = await open();
    await until(() => flv.videoTimes.length === 1);
    const pings = 4_000;
    const pongs: number[] = [];
    socket.on('pong', (data: Buffer) => pongs.push(data.readUInt32BE(0)));
    let turns = 0;
    let isCounting = true;
    const count = (): void => {
      turns += 1;
      if (isCounting) setImmediate(count);
    };
    setImmediate(count);
    rawOf(socket).write(Buffer.concat(Array.from({ length: pings }, (_, number) => pingOf(number))));
    await until(() => pongs.at(-1) === pings - 1);
    isCounting = false;
    expect(turns).toBeGreaterThanOrEqual(pings);
    expect(pongs).toEqual(pongs.toSorted((a, b) => a - b));
    socket.terminate();
    await until(() => rig.stopped.length === 1);
  });

  it('disconnects a player that floods', async () => {
    rig = await startFlvRig();
    const publication = rig.publish();
    for (const packet of [keyframe(0), audio(5)]) publication.push(packet);
    const { socket, flv } = await open();
    await until(() => flv.videoTimes.length === 1);
    socket.on('error', () => undefined);
    rawOf(socket).write(Buffer.concat(Array.from({ length: 20_000 }, (_, number) => pingOf(number))));
    await once(socket, 'close');
    await until(() => rig.stopped.length === 1);
  });

  it('removes a peer with an invalid WebSocket handshake', async () => {
    rig = await startFlvRig();
    rig.publish().push(keyframe(0));
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
    const call = request({ port: rig.port, path: '/live/s.flv', agent: false, headers });
    call.end();
    const [response] = await once(call, 'response');
    expect(response.statusCode).toBe(400);
    response.resume();
    await until(() => rig.stopped.length === 1);
    expect(rig.hub.totals().connections).toBe(1);
  });
});
