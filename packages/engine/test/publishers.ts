// One minimal publisher per protocol, for tests of admission: requests a stream and reports the response. No publisher sends media.
import type { AmfObject } from '@srs-stack/media/protocols/rtmp/amf0.ts';
import { writeHello, writePublishCalls } from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';
import { callSrt, type StartAttempt } from './players.ts';
import { call, playOffer } from './rtc-rig.ts';
import { RtmpPeer } from './rtmp-peer.ts';
import { until } from './rtmp-server.ts';

export const publishRtmp: StartAttempt = async ({ rtmp }, _app, stream) => {
  const peer = new RtmpPeer(rtmp);
  peer.send(writeHello(), writePublishCalls(stream));
  // Counts only `onStatus`. The response to FCPublish has an equal code, but is sent before authorization.
  const statuses = () => peer.server.commands.filter(([name]) => name === 'onStatus');
  const codes = () => statuses().map((values) => String((values[3] as AmfObject | undefined)?.code));
  await until(() => codes().length > 0 || peer.socket.destroyed);
  return {
    isPlaying: codes().includes('NetStream.Publish.Start'),
    responseText: codes().join(' '),
    isClosed: () => peer.socket.readableEnded || peer.socket.destroyed,
    leave: () => peer.socket.destroy(),
  };
};

export const publishSrt: StartAttempt = (ports, app, stream) => callSrt(ports, `#!::r=${app}/${stream},m=publish`);

/** A publisher that sends its offer but never connects. */
export const publishWhip: StartAttempt = async ({ http }, app, stream) => {
  const query = new URLSearchParams({ app, stream });
  const body = playOffer.replaceAll('recvonly', 'sendonly');
  const { status, location } = await call(http, `/rtc/v1/whip/?${query}`, { body });
  const leave = (): void => {
    if (status === 201) call(http, location, { method: 'DELETE' }).catch(() => undefined);
  };
  return { isPlaying: status === 201, responseText: `${status}`, isClosed: () => true, leave };
};
