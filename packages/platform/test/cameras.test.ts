// Calls for cameras: stored values, refusals, and the resulting pull orders for gateways.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestPlatform, type TestPlatform } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
  platform.start();
});
afterAll(() => platform.dispose());

const file = (target = 'rtsp://admin:p@ss@127.0.0.1:1/main') => ({
  ...{ name: 'main', path: '', size: 0, uuid: 'source-1', target, type: 'stream' },
  ...{ format: null, video: null, audio: null },
});
const valid = {
  ...{ action: 'update', platform: 'camera-1', server: '', secret: 'door', enabled: false, files: [file()] },
};
const save = (fields: object = {}) => platform.call('cameraSecret', { ...valid, ...fields });
const cameras = async () => (await platform.call('cameraSecret')).body.data;
const rows = async () => (await platform.call('cameraStreams')).body.data;
const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 10_000 });
const ordersFile = () => join(platform.dataDir, 'config', 'pulls.json');
const orders = () =>
  existsSync(ordersFile()) ? (JSON.parse(readFileSync(ordersFile(), 'utf8')).pulls as Record<string, unknown>[]) : [];

describe('cameras', () => {
  it('are empty at first', async () => {
    expect(await cameras()).toEqual({});
    expect(await rows()).toEqual([]);
  });

  it.each([
    [{ action: 'delete' }, 'Invalid action "delete", should be "update"'],
    [{ platform: '' }, 'Please choose a platform'],
    [{ platform: 'forwarding-1' }, 'or contain camera-'],
    [{ files: [] }, ''],
    [{ files: [{ ...file(), type: 'file' }] }, 'a camera needs exactly one source'],
    [{ files: [file('file:///etc/passwd')] }, ''],
    [{ files: [file('rtsp://169.254.169.254/')] }, 'never contacted'],
    [{ files: [file('rtsp://127.0.0.1/a b')] }, 'spaces'],
    [{ secret: '' }, 'the stream name is not allowed'],
    [{ secret: '../x' }, 'the stream name is not allowed'],
    [{ server: 'http://h/live' }, 'the address must begin with'],
    [{ extraAudio: 'loud' }, 'extraAudio'],
  ])('refuse %j', async (fields, words) => {
    const { status, body } = await save(fields);
    expect(status).toBe(400);
    expect(body.data.message).toContain(words);
    expect(await cameras()).toEqual({});
  });

  it('are stored as sent; rows hide passwords', async () => {
    expect((await save({ extraAudio: 'silent', label: 'Door' })).body.data).toBeNull();
    expect((await cameras())['camera-1']).toMatchObject({ extraAudio: 'silent', label: 'Door', files: [file()] });
    const [row] = await rows();
    expect(row).toMatchObject({ platform: 'camera-1', extraAudio: 'silent', stream: 'live/door', state: 'idle' });
    expect(row.files[0].target).toBe('rtsp://admin:******@127.0.0.1:1/main');
    expect(JSON.stringify(await rows())).not.toContain('p@ss');
  });

  it.each(['stream-url', 'streamUrl'])('check an address by %s, in the body and in the query', async (name) => {
    const path = `/terraform/v1/ffmpeg/camera/${name}`;
    const url = 'rtsp://192.168.1.64/Streaming/Channels/101';
    for (const response of [
      await platform.callPath(path, { url }),
      await platform.callPath(`${path}?url=${encodeURIComponent(url)}`, {}),
    ]) {
      expect(response.body.data).toMatchObject({ name: '101', target: url, size: 0 });
    }
    expect((await platform.callPath(path, { url: 'ftp://h/a' })).status).toBe(400);
    expect((await platform.callPath(path, { url: 'rtsps://h/a' })).status).toBe(200);
  });

  it('have a pull order with the publish secret while switched on, and a new order when they change', async () => {
    await save({ enabled: true });
    const { publish } = (await platform.call('queryPublishSecret')).body.data;
    await until(() => orders().length === 1);
    const [first] = orders();
    expect(first).toMatchObject({
      ...{ vhost: '__defaultVhost__', app: 'live', stream: 'door', param: `?secret=${publish}` },
      ...{ url: 'rtsp://admin:p@ss@127.0.0.1:1/main', acceptsAnyCertificate: false },
    });
    await save({ enabled: true, acceptsAnyCertificate: true });
    await until(() => orders().some(({ acceptsAnyCertificate }) => acceptsAnyCertificate === true));
    expect(orders()).toHaveLength(1);
    expect(orders()[0]!.id).not.toBe(first!.id);
    await save({ enabled: false });
    await until(() => orders().length === 0);
  });

  it('on demand have an on-demand order, unless a recording or a forward needs them', async () => {
    const isOnDemand = (expected: boolean) => until(() => orders()[0]?.onDemand === expected);
    await save({ enabled: true, onDemand: true });
    await isOnDemand(true);
    expect((await rows())[0]).toMatchObject({ onDemand: true });
    expect((await cameras())['camera-1']).toMatchObject({ onDemand: true });
    const { id } = orders()[0]!;
    platform.mediaServer.pulls = [{ id, state: 'waiting', stream: 'live/door' }];
    await until(() => platform.mediaServer.requests.includes('GET /api/v1/pulls/'));
    await vi.waitUntil(async () => (await rows())[0].state === 'waiting', { timeout: 10_000 });
    await platform.call('applyRecord', { all: true });
    await isOnDemand(false);
    await platform.call('applyRecord', { all: false });
    await isOnDemand(true);
    platform.mediaServer.pulls = [];
    const target = { action: 'update', platform: 'wx', server: 'rtmp://127.0.0.1:1/live', secret: 'k', custom: true };
    await platform.call('forwardSecret', { ...target, stream: 'door', enabled: true });
    await isOnDemand(false);
    await platform.call('forwardSecret', { ...target, stream: 'other', enabled: true });
    await isOnDemand(true);
    expect(orders()[0]!.id).toBe(id);
    await save({ enabled: false });
  });

  it('with a sub stream have two orders, and one when it is removed', async () => {
    const subAddress = 'rtsp://admin:p@ss@127.0.0.1:1/sub';
    await save({ enabled: true, onDemand: true, subAddress });
    await until(() => orders().length === 2);
    expect(orders()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ stream: 'door', onDemand: true, url: 'rtsp://admin:p@ss@127.0.0.1:1/main' }),
        expect.objectContaining({ stream: 'door_sub', onDemand: false, url: subAddress }),
      ]),
    );
    expect((await rows())[0]).toMatchObject({
      stream: 'live/door',
      sub: { stream: 'live/door_sub', state: 'starting' },
    });
    expect(JSON.stringify(await rows())).not.toContain('p@ss');
    await save({ enabled: true });
    await until(() => orders().length === 1);
    expect((await rows())[0].sub).toBeUndefined();
    await save({ enabled: false });
    for (const [fields, words] of [
      [{ subAddress: 'rtsp://169.254.169.254/' }, 'never contacted'],
      [{ subAddress, server: 'rtmp://h/live' }, 'published on this server'],
    ] as const)
      expect((await save(fields)).body.data.message).toContain(words);
  });

  it.each([
    ['srt://127.0.0.1:1?streamid=x&passphrase=correct+horse', 'srt', 'srt://127.0.0.1:1?streamid=x&passphrase=******'],
    ['udp://@239.1.1.1:5000', 'udp', 'udp://@239.1.1.1:5000'],
    ['rtp://10.0.0.5@:5000', 'udp', 'rtp://10.0.0.5@:5000'],
    ['https://127.0.0.1:1/live.m3u8?token=1', 'hls', 'https://127.0.0.1:1/live.m3u8?token=1'],
  ])('of other kinds have an order too: %s', async (target, kind, shown) => {
    expect((await save({ enabled: true, files: [file(target)] })).status).toBe(200);
    await until(() => orders()[0]?.url === target);
    expect((await rows())[0]).toMatchObject({ kind, files: [{ target: shown }] });
    await save({ enabled: false });
    await until(() => orders().length === 0);
  });

  it.each(['udp://encoder:5000', 'udp://239.1.1.1', 'rtp://:0', 'srt://239.1.1.1:9000', 'http://224.0.0.1/a.m3u8'])(
    'refuse the address %s',
    async (url) => {
      expect((await platform.call('cameraStreamUrl', { url })).status).toBe(400);
    },
  );

  it('over UDP can only be pulled by the media server', async () => {
    await save({ enabled: true, files: [file('udp://:5000')], extraAudio: 'silent' });
    await vi.waitFor(async () =>
      expect((await rows())[0]).toMatchObject({ state: 'error', reason: 'address-refused' }),
    );
    expect((await rows())[0].reasonDetail).toContain('only the media server can pull UDP sources');
    await save({ enabled: false });
  });

  it('are removed once', async () => {
    expect((await platform.call('removeCamera', { platform: 'camera-1' })).status).toBe(200);
    expect((await platform.call('removeCamera', { platform: 'camera-1' })).status).toBe(404);
    expect(await cameras()).toEqual({});
  });
});
