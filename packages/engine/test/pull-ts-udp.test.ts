// Sources that send MPEG-TS in datagrams: FFmpeg and GStreamer over unicast, multicast and RTP. Also tests datagrams that must be dropped.
import { writeRtpPacket } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import { parseTsAddress } from '@srs-stack/media/protocols/ts-udp/ts-address.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { parseNetworks } from '@srs-stack/process/private-networks.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UdpTransport } from '../src/sessions/pull/udp-transport.ts';
import { openPulls, order } from './pull-rig.ts';
import { until } from './rtmp-server.ts';
import { freeUdpPort, sendWithFfmpeg, sendWithGstreamer, udpSocket } from './ts-senders.ts';

const loopback = { isSourceNetwork: parseNetworks('SOURCE_NETWORKS', ['127.0.0.0/8']) };
const key = (stream: string) => ({ vhost: defaultVhost, app: 'live', stream });
const plain = ['-f', 'mpegts'];
const rtp = ['-f', 'rtp_mpegts'];

describe('MPEG-TS in datagrams', () => {
  it.each([
    ['plain', 'udp://:PORT', [...plain, 'udp://127.0.0.1:PORT?pkt_size=1316']],
    ['in RTP', 'rtp://127.0.0.1:PORT', [...rtp, 'rtp://127.0.0.1:PORT?rtcpport=9']],
    [
      'to a group',
      'udp://@239.255.7.7:PORT?localaddr=127.0.0.1',
      [...plain, 'udp://239.255.7.7:PORT?localaddr=127.0.0.1&pkt_size=1316'],
    ],
    [
      'to a group, from the sender that the address names',
      'udp://127.0.0.1@232.1.7.7:PORT?localaddr=127.0.0.1',
      [...plain, 'udp://232.1.7.7:PORT?localaddr=127.0.0.1&pkt_size=1316'],
    ],
  ])('of FFmpeg, %s', async (_name, url, output) => {
    const port = String(await freeUdpPort());
    sendWithFfmpeg(...output.map((each) => each.replace('PORT', port)));
    const rig = await openPulls(loopback);
    rig.pulls.configure([order('a', url.replace('PORT', port), { param: '?secret=s' })]);
    await rig.frames('a', 30);
    const stream = rig.server.hub.find(key('a'))!;
    expect([stream.video?.codec, stream.audio?.codec]).toEqual(['h264', 'aac']);
    expect(rig.rowOf('a')).toMatchObject({ state: 'pulling', reason: 'none', reconnects: 0, leftOut: '' });
    expect(rig.rowOf('a').receivedBytes).toBeGreaterThan(10_000);
    expect(rig.hostCalls).toEqual(['?secret=s']);
    rig.pulls.configure([]);
    expect(rig.server.hub.isPublished(key('a'))).toBe(false);
    expect(rig.hostCalls).toEqual(['?secret=s', 'end a']);
  });

  it.each([
    ['plain', ['udpsink', 'host=127.0.0.1']],
    ['in RTP', ['rtpmp2tpay', '!', 'udpsink', 'host=127.0.0.1']],
  ])('of GStreamer, %s', async (_name, sink) => {
    const port = await freeUdpPort();
    sendWithGstreamer(...sink, `port=${port}`);
    const rig = await openPulls(loopback);
    rig.pulls.configure([order('a', `udp://127.0.0.1:${port}`)]);
    await rig.frames('a', 30);
    expect(rig.rowOf('a')).toMatchObject({ state: 'pulling', lostPackets: 0 });
  });

  it('an encoder that stops counts as a stall, and is on the air again when it sends from another port', async () => {
    const port = await freeUdpPort();
    const output = [...plain, `udp://127.0.0.1:${port}?pkt_size=1316`];
    const encoder = sendWithFfmpeg(...output);
    const rig = await openPulls(loopback);
    rig.pulls.configure([order('a', `udp://:${port}`)]);
    await rig.frames('a', 20);
    encoder.kill();
    await encoder.done;
    rig.skip(10_000);
    expect(await rig.untilReason('a', 'stalled')).toMatchObject({ subject: '10' });
    sendWithFfmpeg(...output);
    await until(() => rig.rowOf('a').state === 'pulling');
  });

  it('another encoder with another port takes over within the attempt, after the first one is silent', async () => {
    const port = await freeUdpPort();
    const output = [...plain, `udp://127.0.0.1:${port}?pkt_size=1316`];
    const first = sendWithFfmpeg(...output);
    const rig = await openPulls(loopback);
    rig.pulls.configure([order('a', `udp://:${port}`)]);
    await rig.frames('a', 20);
    first.kill();
    await first.done;
    const before = rig.rowOf('a').receivedFrames;
    sendWithFfmpeg(...output);
    await until(() => rig.rowOf('a').receivedFrames > before + 20);
    expect(rig.rowOf('a')).toMatchObject({ state: 'pulling', reconnects: 0 });
  });
});

describe('a source in datagrams', () => {
  const flood = async (port: number, datagram: Buffer) => {
    const socket = await udpSocket();
    let sent = 0;
    const timer = setInterval(() => socket.send(datagram, port, '127.0.0.1', () => sent++), 5);
    onTestFinished(() => {
      clearInterval(timer);
      socket.close();
    });
    await until(() => sent > 20);
  };

  it('is refused while no network is named', async () => {
    const rig = await openPulls();
    rig.pulls.configure([order('a', `udp://:${await freeUdpPort()}`)]);
    expect(await rig.untilReason('a', 'address-refused')).toMatchObject({ fault: 'udp-off', state: 'retrying' });
    expect(rig.rowOf('a').retryInMs).toBeGreaterThan(2_000);
  });

  it('is refused on the port of another source, which continues', async () => {
    const port = await freeUdpPort();
    sendWithFfmpeg(...plain, `udp://127.0.0.1:${port}?pkt_size=1316`);
    const rig = await openPulls(loopback);
    rig.pulls.configure([order('a', `udp://:${port}`)]);
    await rig.frames('a', 5);
    rig.pulls.configure([order('a', `udp://:${port}`), order('b', `udp://127.0.0.1:${port}`)]);
    const row = await rig.untilReason('b', 'failed');
    expect(row).toMatchObject({ fault: 'udp-port-taken', subject: String(port) });
    expect(rig.rowOf('a')).toMatchObject({ state: 'pulling', reconnects: 0 });
  });

  it('is refused on an address that this server does not have', async () => {
    const rig = await openPulls(loopback);
    rig.pulls.configure([
      order('a', 'udp://203.0.113.7:5000'),
      order('b', 'udp://239.1.1.1:5000?localaddr=203.0.113.7'),
    ]);
    for (const id of ['a', 'b']) {
      expect(await rig.untilReason(id, 'failed')).toMatchObject({ fault: 'not-local', subject: '203.0.113.7' });
    }
  });

  it.each([
    ['nothing comes', undefined, { reason: 'timeout', fault: 'no-datagrams' }],
    ['garbage comes', Buffer.alloc(1_316, 0x55), { reason: 'input-invalid', fault: 'not-mpegts' }],
    [
      'transport packets without a program arrive',
      Buffer.alloc(1_316, 0x47),
      { reason: 'input-invalid', fault: 'not-mpegts' },
    ],
  ])('is reported with a reason when %s', async (_name, datagram, expected) => {
    const port = await freeUdpPort();
    const rig = await openPulls(loopback);
    rig.pulls.configure([order('a', `udp://127.0.0.1:${port}`)]);
    await until(() => rig.rowOf('a').attemptMs !== undefined);
    if (datagram) await flood(port, datagram);
    rig.skip(15_000);
    expect(await rig.untilReason('a', expected.reason)).toMatchObject(expected);
  });

  it('accepts neither other networks nor other senders than those in its address, and reports one', async () => {
    const [port, other] = [await freeUdpPort(), await freeUdpPort()];
    const rig = await openPulls({ isSourceNetwork: parseNetworks('SOURCE_NETWORKS', ['192.0.2.0/24', '127.0.0.1']) });
    const outside = await openPulls({ isSourceNetwork: parseNetworks('SOURCE_NETWORKS', ['192.0.2.0/24']) });
    rig.pulls.configure([order('a', `udp://127.0.0.2@127.0.0.1:${port}`)]);
    outside.pulls.configure([order('b', `udp://127.0.0.1:${other}`)]);
    for (const each of [port, other]) await flood(each, Buffer.alloc(1_316, 0x47));
    rig.skip(15_000);
    outside.skip(15_000);
    const expected = { fault: 'sender-refused', subject: '127.0.0.1' };
    expect(await rig.untilReason('a', 'timeout')).toMatchObject(expected);
    expect(await outside.untilReason('b', 'timeout')).toMatchObject(expected);
    expect([...rig.hostCalls, ...outside.hostCalls]).toEqual([]);
  });

  it('that is on the air is not disturbed by a second sender', async () => {
    const port = await freeUdpPort();
    const output = [...plain, `udp://127.0.0.1:${port}?pkt_size=1316`];
    sendWithFfmpeg(...output);
    const rig = await openPulls(loopback);
    rig.pulls.configure([order('a', `udp://127.0.0.1:${port}`)]);
    await rig.frames('a', 5);
    const intruder = sendWithFfmpeg('-s', '160x90', '-progress', 'pipe:1', ...output);
    let progress = '';
    intruder.child.stdout.on('data', (data: Buffer) => {
      progress += data.toString();
    });
    await until(() => /frame=[2-9]\d/.test(progress));
    const { frames } = rig.server.hub.find(key('a'))!.stats;
    await rig.frames('a', frames + 25);
    expect(rig.server.hub.find(key('a'))?.video?.width).toBe(320);
    expect(rig.rowOf('a')).toMatchObject({ state: 'pulling', reconnects: 0 });
  });
});

it('an encoder that restarts on its port and renumbers its RTP packets is accepted immediately', async () => {
  const port = await freeUdpPort();
  const seen: string[] = [];
  const transport = new UdpTransport(
    {
      ...{ address: parseTsAddress(`rtp://127.0.0.1:${port}`)!, isSourceNetwork: () => true },
      clock: () => performance.now(),
    },
    {
      onConnected: async () => true,
      onPayload: (payload) => seen.push(`payload ${payload[1]}`),
      onLoss: (payloads) => seen.push(`loss of ${payloads}`),
      onRestart: () => seen.push('restart'),
      hasRoom: () => Promise.resolve(),
      isPassedOn: () => Promise.resolve(),
      onFailed: ({ detail }) => seen.push(detail),
    },
  );
  onTestFinished(() => transport.close());
  const socket = await udpSocket();
  onTestFinished(() => void socket.close());
  const send = (ssrc: number, sequence: number) => {
    const payload = Buffer.alloc(188).fill(0x47, 0, 1).fill(ssrc, 1, 2);
    socket.send(
      writeRtpPacket({ marker: false, payloadType: 33, timestamp: 0, sequence, ssrc, payload }),
      port,
      '127.0.0.1',
    );
  };
  // Sends until a packet arrives, because the port is bound late.
  const timer = setInterval(() => send(1, 1_000), 10);
  await until(() => seen.length > 0);
  clearInterval(timer);
  for (const sequence of [500, 501]) send(2, sequence);
  await until(() => seen.length >= 4);
  expect(seen).toEqual(['payload 1', 'restart', 'payload 2', 'payload 2']);
});
