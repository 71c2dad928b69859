// SRT sources that the engine calls: FFmpeg, srt-live-transmit and GStreamer with libsrt, and scripted listeners for failure cases.
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { monotonicUs, rejectReason, SrtListener, type SrtListenerEvents } from '@srs-stack/srt';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPulls, order } from './pull-rig.ts';
import { until } from './rtmp-server.ts';
import { freeUdpPort, sendWithFfmpeg, sendWithGstreamer, started } from './ts-senders.ts';

const key = (stream: string) => ({ vhost: defaultVhost, app: 'live', stream });
const passphrase = 'correct horse battery';
const silent = (): void => undefined;

async function startRelay(options = ''): Promise<number> {
  const [inside, port] = [await freeUdpPort(), await freeUdpPort()];
  started('srt-live-transmit', [
    '-q',
    '-a:no',
    `udp://127.0.0.1:${inside}`,
    `srt://127.0.0.1:${port}?mode=listener${options}`,
  ]);
  sendWithFfmpeg('-f', 'mpegts', `udp://127.0.0.1:${inside}?pkt_size=1316`);
  return port;
}

async function startListener(onRequest: SrtListenerEvents['onRequest'], secret?: string): Promise<number> {
  const latency = { receiverLatencyMs: 120, senderLatencyMs: 120 };
  const listener = new SrtListener(secret ? { ...latency, passphrase: secret } : latency, { onRequest });
  onTestFinished(() => listener.close());
  return listener.listen(0, '127.0.0.1');
}

describe('a source that is called over SRT', () => {
  it.each([
    ['plain', '', ''],
    [
      'encrypted, with a longer key',
      `&passphrase=${passphrase}&pbkeylen=32`,
      `?passphrase=${encodeURIComponent(passphrase)}&pbkeylen=32`,
    ],
  ])('of srt-live-transmit, %s, is published until the order ends', async (_name, listening, calling) => {
    const port = await startRelay(listening);
    const rig = await openPulls();
    rig.pulls.configure([order('a', `srt://127.0.0.1:${port}${calling}`)]);
    await rig.frames('a', 30);
    const stream = rig.server.hub.find(key('a'))!;
    expect([stream.video?.codec, stream.audio?.codec]).toEqual(['h264', 'aac']);
    expect(rig.rowOf('a')).toMatchObject({ state: 'pulling', reason: 'none' });
    rig.pulls.configure([]);
    expect(rig.server.hub.isPublished(key('a'))).toBe(false);
  });

  it.each([
    ['FFmpeg', (port: number) => sendWithFfmpeg('-f', 'mpegts', `srt://127.0.0.1:${port}?mode=listener`)],
    ['GStreamer', (port: number) => sendWithGstreamer('srtsink', `uri=srt://127.0.0.1:${port}?mode=listener`)],
  ])('of %s is published again after its listener was down', async (_name, listen) => {
    const port = await freeUdpPort();
    const first = listen(port);
    const rig = await openPulls();
    rig.pulls.configure([order('a', `srt://127.0.0.1:${port}?latency=50000`)]);
    await rig.frames('a', 20);
    first.kill('SIGTERM');
    await first.done;
    await until(() => rig.rowOf('a').state === 'retrying');
    listen(port);
    await until(() => rig.rowOf('a').state === 'pulling');
  });

  it('sends its stream id, and reports a wrong passphrase', async () => {
    const seen: string[] = [];
    const port = await startListener((request) => {
      seen.push(request.streamId);
      request.reject(rejectReason.notFound, monotonicUs());
    });
    const secret = await startListener(
      (request) => void request.accept({ onPayload: silent, onClosed: silent }, monotonicUs()),
      passphrase,
    );
    const rig = await openPulls();
    rig.pulls.configure([
      order('a', `srt://127.0.0.1:${port}?streamid=%23!::r=live/x,m=request`),
      order('b', `srt://127.0.0.1:${secret}?passphrase=wrong+passphrase`),
      order('c', `srt://127.0.0.1:${secret}`),
      order('d', 'srt://127.0.0.1'),
    ]);
    expect(await rig.untilReason('a', 'not-found')).toMatchObject({ state: 'retrying' });
    expect(seen[0]).toBe('#!::r=live/x,m=request');
    for (const id of ['b', 'c']) {
      expect(await rig.untilReason(id, 'not-authorized')).toMatchObject({ fault: 'passphrase-refused' });
    }
    expect(await rig.untilReason('d', 'address-refused')).toMatchObject({ fault: 'address-invalid' });
  });

  it('is reported with a reason when it sends nothing, or no MPEG-TS', async () => {
    const [quiet, other] = await Promise.all(
      [undefined, Buffer.alloc(1_316, 0x55)].map((payload) =>
        startListener((request) => {
          const connection = request.accept({ onPayload: silent, onClosed: () => clearInterval(timer) }, monotonicUs());
          const timer = setInterval(() => payload && connection?.send(payload, monotonicUs()), 20);
        }),
      ),
    );
    const rig = await openPulls();
    rig.pulls.configure([order('a', `srt://127.0.0.1:${quiet}`), order('b', `srt://127.0.0.1:${other}`)]);
    await until(() => rig.hostCalls.length === 2 && rig.rowOf('b').receivedBytes > 0);
    rig.skip(15_000);
    expect(await rig.untilReason('a', 'timeout')).toMatchObject({ fault: 'sends-nothing' });
    expect(await rig.untilReason('b', 'input-invalid')).toMatchObject({ fault: 'not-mpegts' });
  });

  it('is not called at a forbidden address, and a port without a listener is reported as the reason', async () => {
    const rig = await openPulls({ mayContact: (address) => address !== '127.0.0.2' });
    rig.pulls.configure([order('a', 'srt://127.0.0.2:9000'), order('b', `srt://127.0.0.1:${await freeUdpPort()}`)]);
    await rig.untilReason('a', 'address-refused');
    await rig.untilReason('b', 'connection-refused');
  });
});
