// Pulls over UDP from a camera server without other transports, and from scripted cameras with lost or forged datagrams.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasGstServer, openPulls, order, type ScriptedRequest, scriptedCamera, startCamera } from './pull-rig.ts';
import { until } from './rtmp-server.ts';

const key = (stream: string) => ({ vhost: defaultVhost, app: 'live', stream });
const session = { Session: 'abc;timeout=8' };
const sdp = ['v=0', 'o=- 0 0 IN IP4 0.0.0.0', 's=-', 't=0 0', 'm=audio 0 RTP/AVP 8', 'a=control:track1', ''].join(
  '\r\n',
);

describe.skipIf(!hasGstServer)('from gst-rtsp-server with UDP only', () => {
  it.each([
    ['aac', 'h264', 'aac'],
    ['hevc', 'h265', undefined],
  ])('%s is published until the order is removed', async (name, video, audio) => {
    const { port } = await startCamera('--udp');
    const rig = await openPulls();
    rig.pulls.configure([order(name, `rtsp://127.0.0.1:${port}/${name}`, { transport: 'udp' })]);
    await rig.frames(name, 30);
    const stream = rig.server.hub.find(key(name))!;
    expect([stream.video?.codec, stream.audio?.codec]).toEqual([video, audio]);
    expect(rig.rowOf(name)).toMatchObject({ state: 'pulling', reason: 'none' });
    expect(rig.rowOf(name).receivedBytes).toBeGreaterThan(1_000);
    rig.pulls.configure([]);
    expect(rig.server.hub.isPublished(key(name))).toBe(false);
  });

  it('a refusal of TCP is reported with the remedy', async () => {
    const { port } = await startCamera('--udp');
    const rig = await openPulls();
    rig.pulls.configure([order('a', `rtsp://127.0.0.1:${port}/aac`)]);
    expect(await rig.untilReason('a', 'failed')).toMatchObject({ fault: 'no-tcp' });
    // Only the operator can fix this failure, so the pull does not retry every 2 s.
    expect(rig.rowOf('a').retryInMs).toBeGreaterThan(2_000);
  });
});

function packet(sequence: number): Buffer {
  const bytes = Buffer.alloc(12 + 160, 0xd5);
  bytes.writeUInt16BE(0x8008, 0);
  bytes.writeUInt16BE(sequence & 0xffff, 2);
  bytes.writeUInt32BE(sequence * 160, 4);
  bytes.writeUInt32BE(7, 8);
  return bytes;
}

async function udpSocket(address = '127.0.0.1'): Promise<Socket> {
  const socket = createSocket('udp4').bind(0, address);
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return socket;
}

/** A camera that plays one G.711 track over UDP. `target` is the client's RTP port. */
async function udpCamera(onPlay: (target: number, rtp: Socket) => void, transport?: string) {
  const [rtp, rtcp] = [await udpSocket(), await udpSocket()];
  const reports: Buffer[] = [];
  rtcp.on('message', (datagram) => reports.push(datagram));
  const setUps: string[] = [];
  let target = 0;
  const camera = await scriptedCamera(({ method, head, respond }: ScriptedRequest) => {
    if (method === 'DESCRIBE') return respond('200 OK', { 'Content-Type': 'application/sdp' }, sdp);
    if (method === 'SETUP') {
      setUps.push(/Transport: (.*)/.exec(head)?.[1] ?? '');
      target = Number(/client_port=(\d+)/.exec(head)?.[1] ?? 0);
      const ports = `server_port=${rtp.address().port}-${rtcp.address().port}`;
      return respond('200 OK', {
        ...session,
        Transport: transport ?? `RTP/AVP;unicast;client_port=${target}-${target + 1};${ports}`,
      });
    }
    respond('200 OK', session);
    if (method === 'PLAY') onPlay(target, rtp);
  });
  return { ...camera, reports, setUps };
}

describe('from a scripted camera', () => {
  it('uses an even port and the next one, sorts packets and counts lost ones', async () => {
    const camera = await udpCamera((target, rtp) => {
      for (const sequence of [1, 3, 2, 5, 6]) rtp.send(packet(sequence), target, '127.0.0.1');
    });
    const rig = await openPulls();
    rig.pulls.configure([order('a', camera.url, { transport: 'udp' })]);
    await until(() => rig.rowOf('a')?.state === 'pulling' && rig.rowOf('a').lostPackets === 1);
    const [, first, second] = /client_port=(\d+)-(\d+)/.exec(camera.setUps[0]!)!;
    expect(Number(first) % 2).toBe(0);
    expect(Number(second)).toBe(Number(first) + 1);
    expect(rig.server.hub.find(key('a'))?.audio?.codec).toBe('pcma');
  });

  it('accepts no packet from another address or a second port', async () => {
    const [elsewhere, second] = [await udpSocket('127.0.0.2'), await udpSocket()];
    const camera = await udpCamera((target, rtp) => {
      elsewhere.send(packet(900), target, '127.0.0.1', () =>
        rtp.send(packet(1), target, '127.0.0.1', () =>
          second.send(packet(2), target, '127.0.0.1', () => rtp.send(packet(3), target, '127.0.0.1')),
        ),
      );
    });
    const rig = await openPulls();
    rig.pulls.configure([order('a', camera.url, { transport: 'udp' })]);
    // Only packets 1 and 3 of the camera arrive; packet 2 is lost.
    await until(() => rig.rowOf('a')?.lostPackets === 1);
    expect(rig.rowOf('a')).toMatchObject({ state: 'pulling' });
  });

  it('sends receiver reports to the RTCP port of the camera', async () => {
    const camera = await udpCamera((target, rtp) => rtp.send(packet(1), target, '127.0.0.1'));
    const rig = await openPulls();
    rig.pulls.configure([order('a', camera.url, { transport: 'udp' })]);
    await until(() => camera.reports.length > 0);
    const [report] = camera.reports;
    expect([report![1], report!.readUInt32BE(8)]).toEqual([201, 7]);
  });

  it('a response with TCP is refused', async () => {
    const camera = await udpCamera(() => undefined, 'RTP/AVP/TCP;unicast;interleaved=0-1');
    const rig = await openPulls();
    rig.pulls.configure([order('a', camera.url, { transport: 'udp' })]);
    expect(await rig.untilReason('a', 'input-invalid')).toMatchObject({ detail: expect.stringMatching(/with TCP/) });
  });
});
