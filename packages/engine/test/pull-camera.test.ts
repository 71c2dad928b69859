import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Packet } from '@srs-stack/media/packet.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RestingReads } from '../src/sessions/reads/resting-reads.ts';
import { makeCertificate } from './certificate.ts';
import { audioArgs, videoArgs } from './clips.ts';
import { hasGstServer, openPulls, order, startCamera } from './pull-rig.ts';
import { ffmpeg, until } from './rtmp-server.ts';
import { startRtspEngine } from './rtsp-peer.ts';

const key = (stream: string) => ({ vhost: defaultVhost, app: 'live', stream });
const login = 'admin:p@ss:word';

describe.skipIf(!hasGstServer)('from gst-rtsp-server', () => {
  it.each([
    ['aac', 'h264', 'aac'],
    ['alaw', 'h264', 'pcma'],
    ['opus', 'h264', 'opus'],
    ['hevc', 'h265', undefined],
  ])('%s is published until the order is removed', async (name, video, audio) => {
    const { port } = await startCamera();
    const rig = await openPulls();
    rig.pulls.configure([order(name, `rtsp://127.0.0.1:${port}/${name}`, { param: '?secret=x' })]);
    await rig.frames(name, 20);
    const stream = rig.server.hub.find(key(name))!;
    expect([stream.video?.codec, stream.audio?.codec]).toEqual([video, audio]);
    expect(rig.hostCalls[0]).toBe('?secret=x');
    expect(rig.rowOf(name)).toMatchObject({ state: 'pulling', reason: 'none', lostPackets: 0, leftOut: '' });
    expect(rig.rowOf(name).receivedFrames).toBeGreaterThanOrEqual(20);
    rig.pulls.configure([]);
    expect(rig.server.hub.isPublished(key(name))).toBe(false);
    expect(rig.hostCalls.at(-1)).toBe(`end ${name}`);
  });

  it('a camera without readers is read in batches, and each packet at once from the first viewer on', async () => {
    const rests = vi.spyOn(RestingReads.prototype, 'rest');
    onTestFinished(() => rests.mockRestore());
    const { port } = await startCamera();
    const rig = await openPulls();
    rig.pulls.configure([order('aac', `rtsp://127.0.0.1:${port}/aac`)]);
    await rig.frames('aac', 30);
    const { length: before } = rests.mock.calls;
    expect(before).toBeGreaterThan(3);
    let frames = 0;
    const onPacket = ({ track }: Packet): void => {
      if (track.kind === 'video') frames++;
    };
    rig.server.hub.attach(key('aac'), { name: 'test', onPacket, onEnd: () => undefined });
    await until(() => frames >= 30);
    expect(rests.mock.calls).toHaveLength(before);
    expect(rig.rowOf('aac')).toMatchObject({ state: 'pulling', lostPackets: 0 });
  });

  it('MJPEG is refused with a remedy', async () => {
    const { port } = await startCamera();
    const rig = await openPulls();
    rig.pulls.configure([order('mjpeg', `rtsp://127.0.0.1:${port}/mjpeg`)]);
    expect(await rig.untilReason('mjpeg', 'codec-unsupported')).toMatchObject({
      detail: 'JPEG video is not supported: set the camera to H.264 or HEVC',
    });
    expect(rig.hostCalls).toEqual([]);
  });

  it.each(['basic', 'digest'])('%s authentication succeeds, and a wrong password is sent only once', async (auth) => {
    const { port } = await startCamera('--auth', auth);
    const rig = await openPulls();
    rig.pulls.configure([
      order('right', `rtsp://${login}@127.0.0.1:${port}/hevc`),
      order('wrong', `rtsp://admin:other-password@127.0.0.1:${port}/hevc`),
      order('none', `rtsp://127.0.0.1:${port}/hevc`),
    ]);
    await rig.frames('right', 10);
    expect(await rig.untilReason('wrong', 'not-authorized')).toMatchObject({
      detail: 'the source refuses the user name or password',
    });
    expect(await rig.untilReason('none', 'not-authorized')).toMatchObject({
      detail: 'the source requires a user name and a password',
    });
    expect(rig.rowOf('wrong').retryInMs).toBeGreaterThan(10_000);
    expect(JSON.stringify(rig.server.logged)).not.toMatch(/other-password|p@ss:word/);
  });

  it('a camera that restarts is live again within 3 s', async () => {
    const first = await startCamera();
    const rig = await openPulls();
    rig.pulls.configure([order('cam', `rtsp://127.0.0.1:${first.port}/aac`)]);
    await rig.frames('cam', 10);
    await first.kill();
    await until(() => rig.rowOf('cam').state === 'retrying');
    await rig.untilReason('cam', 'connection-refused');
    await startCamera('--port', String(first.port));
    const respondsAtMs = performance.now();
    await until(() => rig.rowOf('cam').state === 'pulling');
    expect(performance.now() - respondsAtMs).toBeLessThan(3_000 + 1_000); // pipelines of the test camera start slowly
    expect(rig.rowOf('cam').reason).toBe('none');
  });
});

it('RTSPS certificates are verified, unless any certificate is accepted', async () => {
  const listen = { host: '127.0.0.1', port: 0 };
  const source = await startRtspEngine(undefined, { rtsp: { ...listen, tls: listen } });
  const folder = await mkdtemp(join(tmpdir(), 'pull-'));
  const publisher = ffmpeg(
    ...['-re', ...videoArgs.input, ...audioArgs('stereo', 48_000).input, ...videoArgs.output, '-c:a', 'aac'],
    ...['-f', 'rtsp', '-rtsp_transport', 'tcp', source.url()],
  );
  onTestFinished(async () => {
    publisher.kill();
    await source.engine.close();
    await rm(folder, { recursive: true });
  });
  source.engine.setCertificate(await makeCertificate(folder, 'camera.example'));
  await writeFile(join(folder, 'ready'), '');
  await until(() => source.engine.streams()[0]?.audio !== undefined);
  const rig = await openPulls();
  const url = `rtsps://127.0.0.1:${source.tlsPort}/live/s`;
  rig.pulls.configure([order('strict', url), order('open', url, { acceptsAnyCertificate: true })]);
  await rig.frames('open', 25);
  expect(await rig.untilReason('strict', 'tls-failed')).toMatchObject({ detail: expect.stringMatching(/self-signed/) });
  expect(rig.server.hub.find(key('open'))?.audio?.codec).toBe('aac');
});
