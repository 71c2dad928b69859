// AV1 of a real encoder over RTSP: published to an engine and pulled into another hub, unchanged except for temporal delimiters.
import { obuType, obuTypeOf, splitObus, withSizes } from '@srs-stack/media/codecs/av1.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { RtpTrackWriter } from '@srs-stack/media/protocols/rtp/rtp-track-writer.ts';
import { writeStreamDescription } from '@srs-stack/media/protocols/sdp/stream-description.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { expect, it, onTestFinished } from 'vitest';
import { encodeAv1 } from './av1-clip.ts';
import { openPulls, order } from './pull-rig.ts';
import { until } from './rtmp-server.ts';
import { interleaved, RtspPeer, startRtspEngine } from './rtsp-peer.ts';

const key = (stream: string) => ({ vhost: defaultVhost, app: 'live', stream });
const withoutDelimiter = (payload: Buffer) =>
  Buffer.concat(withSizes(splitObus(payload).filter((obu) => obuTypeOf(obu) !== obuType.temporalDelimiter)));

it('AV1 arrives as it was encoded, with the configuration of its encoder', async () => {
  const frames = await encodeAv1(2);
  const { track } = frames[0]!;
  const rtsp = await startRtspEngine();
  onTestFinished(() => rtsp.engine.close());
  const peer = await RtspPeer.connect(rtsp.port);
  onTestFinished(() => void peer.socket.destroy());
  const headers = { 'Content-Type': 'application/sdp' };
  const description = writeStreamDescription({ name: 'av1', tracks: [track] });
  expect(description).toContain('AV1/90000');
  expect((await peer.request('ANNOUNCE', rtsp.url('live/av1'), headers, description)).status).toBe(200);
  const transport = { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1;mode=record' };
  expect((await peer.request('SETUP', rtsp.url('live/av1/trackID=0'), transport)).status).toBe(200);
  expect((await peer.request('RECORD', rtsp.url('live/av1'))).status).toBe(200);
  const writer = new RtpTrackWriter(7, 65_500);
  const send = (packets: readonly Packet[]) => {
    for (const packet of packets) for (const rtp of writer.write(packet)) peer.socket.write(interleaved(0, rtp));
  };

  send(frames.slice(0, 40));
  await until(() => rtsp.engine.streams()[0]?.frames === 40);
  const rig = await openPulls();
  const received: Packet[] = [];
  rig.server.hub.attach(key('copy'), {
    name: 'test',
    onPacket: (packet) => void received.push(packet),
    onEnd: () => undefined,
  });
  rig.pulls.configure([order('copy', rtsp.url('live/av1'))]);
  await until(() => received.length > 0);
  send(frames.slice(40));
  await until(() => received.length === 25);
  expect(received.map(({ keyframe }) => keyframe)).toEqual(frames.slice(25).map(({ keyframe }) => keyframe));
  expect(received.map(({ payload }) => payload.toString('hex'))).toEqual(
    frames.slice(25).map(({ payload }) => withoutDelimiter(payload).toString('hex')),
  );
  expect(received[0]?.track).toMatchObject({ codec: 'av1', width: 320, height: 180, config: track.config });
});
