// Pushes over real sockets: to another server of this engine, and to misbehaving servers.
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepting, command, listen, order, redirecting, respondingWith, sourceKey, usePushRig } from './push-rig.ts';
import { type RtmpServer, startRtmpServer, testConfig, until } from './rtmp-server.ts';

const rig = usePushRig();
const { rowOf, untilState, publish, fill } = rig;
let target: RtmpServer;
beforeEach(async () => {
  target = await startRtmpServer();
});
afterEach(() => target.close());

describe('a push over RTMP', () => {
  it('sends the published stream from the keyframe on, and ends with the order', async () => {
    publish();
    rig.pushes.configure([order('a', `${target.url}/app`)]);
    await untilState('a', 'publishing');
    await until(() => target.hub.streams(0).some(({ video, audio }) => video !== undefined && audio !== undefined));
    const key = { vhost: defaultVhost, app: 'app', stream: 'a' };
    const [there, here] = [target.hub.find(key)!, rig.source.hub.find(sourceKey)!];
    await until(() => there.stats.frames > 25);
    expect(there.video?.config).toEqual(here.video?.config);
    expect(there.audio?.config).toEqual(here.audio?.config);
    expect(there.metadata).toMatchObject({ width: 128, height: 72 });
    expect(rowOf('a')).toMatchObject({
      reason: 'none',
      lastFailure: undefined,
      reconnects: 0,
      droppedFrames: 0,
      streamUrl: 'live/s',
    });
    expect(rowOf('a').sentFrames).toBeGreaterThan(20);
    expect(rowOf('a').mediaMs).toBeGreaterThan(500);
    rig.pushes.configure([]);
    await until(() => !target.hub.isPublished(key));
    expect(rig.pushes.snapshots()).toEqual([]);
  });

  it("shares one muxer among targets, and reports each target's own errors", async () => {
    const refused = `rtmp://127.0.0.1:1/live`;
    const garbage = await listen((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const resets = await listen((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const rejects = await listen(
      respondingWith(
        command('_error', 1, null, {
          level: 'error',
          code: 'NetConnection.Connect.Rejected',
          description: 'no secret-key-1',
        }),
      ),
    );
    const good = ['g1', 'g2', 'g3'];
    rig.pushes.configure([
      ...good.map((id) => order(id, `${target.url}/app`)),
      order('refused', refused),
      order('garbage', garbage),
      order('resets', resets),
      order('rejects', rejects, 'secret-key-1'),
      order('unknown', 'rtmp://no-such-host.invalid/live'),
      order('nonsense', 'gopher://host/live'),
    ]);
    expect(rig.pushes.snapshots().every(({ state }) => state === 'waiting')).toBe(true);
    publish();
    for (const id of good) await untilState(id, 'publishing');
    for (const [id, reason] of [
      ...[
        ['refused', 'connection-refused'],
        ['garbage', 'failed'],
        ['resets', 'connection-closed'],
      ],
      ...[
        ['rejects', 'publish-rejected'],
        ['unknown', 'host-unknown'],
        ['nonsense', 'address-refused'],
      ],
    ] as const) {
      await until(() => rowOf(id!).reason !== 'none');
      expect(rowOf(id!), id).toMatchObject({ reason });
      expect(rowOf(id!).detail).not.toBe('');
    }
    expect(rowOf('rejects').detail).toBe('NetConnection.Connect.Rejected: no ******');
    await until(() => rowOf('refused').reconnects > 0);
    for (const id of good) expect(rowOf(id)).toMatchObject({ state: 'publishing', reconnects: 0 });
    // The three active targets share one reader.
    expect(rig.source.hub.find(sourceKey)!.readerCount).toBe(1);
  });

  it('keeps its connection during a short absence of the publisher', async () => {
    const first = publish();
    rig.pushes.configure([order('a', `${target.url}/app`)]);
    await untilState('a', 'publishing');
    first.kill();
    await untilState('a', 'paused');
    publish();
    await untilState('a', 'publishing');
    expect(rowOf('a').reconnects).toBe(0);
    const key = { vhost: defaultVhost, app: 'app', stream: 'a' };
    const frames = target.hub.find(key)!.stats.frames;
    await until(() => target.hub.find(key)!.stats.frames > frames + 25);
    expect(target.hub.find(key)!.timestampRepairs).toBe(0);
  });

  it('ends with a stream that does not return, and restarts with it', async () => {
    const first = publish();
    rig.pushes.configure([order('a', `${target.url}/app`)]);
    await untilState('a', 'publishing');
    first.kill();
    await untilState('a', 'paused');
    rig.source.skip(60_000);
    await untilState('a', 'waiting');
    await until(() => !target.hub.isPublished({ vhost: defaultVhost, app: 'app', stream: 'a' }));
    publish();
    await untilState('a', 'publishing');
  });

  it('follows redirects, but not in a loop, and refuses forbidden addresses from any source', async () => {
    const to = await listen(redirecting(`${target.url}/app`));
    let circle = '';
    let connections = 0;
    circle = await listen((socket) => {
      connections++;
      redirecting(circle)(socket);
    });
    const redirected = await listen(redirecting('rtmp://169.254.169.254/latest'));
    rig.reopen({ mayContact: (address) => !address.startsWith('169.254.') });
    rig.pushes.configure([
      order('to', to),
      order('circle', circle, 'k'),
      order('redirected', redirected),
      order('literal', 'rtmp://169.254.169.254/live'),
    ]);
    publish();
    await untilState('to', 'publishing');
    await until(() => rowOf('circle').reason === 'failed');
    expect(rowOf('circle').detail).toContain('redirects too often');
    expect(connections).toBeLessThan(10);
    for (const id of ['redirected', 'literal']) {
      await until(() => rowOf(id).reason !== 'none');
      expect(rowOf(id).reason, id).toBe('address-refused');
    }
  });

  it('disconnects from a target that reads nothing, after dropping whole GOPs', async () => {
    let skippedMs = 0;
    const stalling = await listen((socket) => {
      accepting(socket);
      socket.once('data', () => setTimeout(() => socket.pause(), 200));
    });
    const silentOne = await listen(() => undefined);
    const config = { ...testConfig, viewerQueue: { maxBytes: 20_000, maxDurationMs: 500 } };
    rig.reopen({ config, clock: () => performance.now() + skippedMs });
    rig.pushes.configure([order('stalling', stalling), order('silent', silentOne)]);
    fill();
    await untilState('stalling', 'publishing');
    await until(() => rowOf('stalling').droppedFrames > 0);
    skippedMs += 11_000;
    await until(() => rowOf('silent').reason === 'timeout');
    await until(() => {
      skippedMs += 300;
      return rowOf('stalling').reason === 'stalled';
    });
  });
});
