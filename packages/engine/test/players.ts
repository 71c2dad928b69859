// One minimal player per protocol, for tests of admission: requests a stream, reports the response, disconnects.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AmfObject } from '@srs-stack/media/protocols/rtmp/amf0.ts';
import { connectObject, writeHello, writePlayCalls } from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';
import { monotonicUs, SrtCaller, type SrtConnection } from '@srs-stack/srt';
import { WebSocket } from 'ws';
import { call, playOffer } from './rtc-rig.ts';
import { RtmpPeer } from './rtmp-peer.ts';
import { until } from './rtmp-server.ts';

export interface PlayPorts {
  readonly http: number;
  readonly rtmp: number;
  readonly srt: number;
}

export interface Attempt {
  readonly isPlaying: boolean;
  readonly responseText: string;
  readonly isClosed: () => boolean;
  leave(): void;
  /** Sends a request with the id of this player, as an HLS player does. */
  repeatRequest?(): Promise<void>;
}

export type StartAttempt = (ports: PlayPorts, app: string, stream: string) => Promise<Attempt>;

export const playRtmp: StartAttempt = async ({ rtmp }, app, stream) => {
  const peer = new RtmpPeer(rtmp);
  const connect = { ...connectObject, app, tcUrl: `rtmp://127.0.0.1/${app}` };
  peer.send(writeHello(), writePlayCalls(stream, connect));
  const codes = () => peer.server.codes.filter((code) => code.startsWith('NetStream.Play.'));
  await until(() => codes().length > 0 || peer.socket.destroyed);
  const texts = peer.server.commands.map((values) => (values[3] as AmfObject | undefined)?.description);
  return {
    isPlaying: codes().includes('NetStream.Play.Start'),
    responseText: [...codes(), ...texts.filter((text) => typeof text === 'string')].join(' '),
    isClosed: () => peer.socket.readableEnded || peer.socket.destroyed,
    leave: () => peer.socket.destroy(),
  };
};

export const playSrt: StartAttempt = (ports, app, stream) => callSrt(ports, `#!::r=${app}/${stream},m=request`);

/** Calls with the caller of the SRT package. A timer polls the caller every 10 ms. */
export async function callSrt({ srt }: PlayPorts, streamId: string): Promise<Attempt> {
  const socket = createSocket('udp4');
  let connection: SrtConnection | undefined;
  let failed: number | undefined;
  let isClosed = false;
  const caller = new SrtCaller(
    { receiverLatencyMs: 120, senderLatencyMs: 120 },
    streamId,
    {
      transmit: (datagram) => socket.send(datagram, srt, '127.0.0.1'),
      onPayload: () => {},
      onConnected: (opened) => {
        connection = opened;
      },
      onFailed: (code) => {
        failed = code;
      },
      onClosed: () => {
        isClosed = true;
      },
    },
    monotonicUs(),
  );
  socket.on('message', (datagram) => caller.handleDatagram(datagram, monotonicUs()));
  const timer = setInterval(() => caller.advance(monotonicUs()), 10);
  await until(() => connection !== undefined || failed !== undefined);
  const release = (): void => {
    clearInterval(timer);
    socket.close();
  };
  if (!connection) release();
  return {
    isPlaying: connection !== undefined,
    responseText: `${failed}`,
    isClosed: () => isClosed || failed !== undefined,
    leave: () => {
      if (!connection) return;
      connection.close(monotonicUs());
      connection = undefined;
      setImmediate(release);
    },
  };
}

/** A player that sends its offer but never connects. */
export const playWhep: StartAttempt = async ({ http }, app, stream) => {
  const query = new URLSearchParams({ app, stream });
  const { status, location, body } = await call(http, `/rtc/v1/whep/?${query}`, { body: playOffer });
  const leave = (): void => {
    if (status === 201) call(http, location, { method: 'DELETE' }).catch(() => undefined);
  };
  return {
    isPlaying: status === 201,
    responseText: `${status} ${status === 201 ? '' : body}`,
    isClosed: () => true,
    leave,
  };
};

export const playHttp =
  (extension: string): StartAttempt =>
  async ({ http }, app, stream) => {
    const outgoing = get({ port: http, path: `/${app}/${encodeURIComponent(stream)}.${extension}`, agent: false });
    outgoing.on('error', () => {});
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    let body = '';
    response.setEncoding('latin1').on('error', () => {});
    response.on('data', (text: string) => {
      if (response.statusCode !== 200) body += text;
    });
    if (response.statusCode !== 200) await once(response, 'end');
    return {
      isPlaying: response.statusCode === 200,
      responseText: `${response.statusCode} ${body}`,
      isClosed: () => response.closed,
      leave: () => outgoing.destroy(),
    };
  };

export const playWebSocket: StartAttempt = async ({ http }, app, stream) => {
  const client = new WebSocket(`ws://127.0.0.1:${http}/${app}/${encodeURIComponent(stream)}.flv`);
  client.on('error', () => {});
  const refused = once(client, 'unexpected-response').then(([, response]) => response as IncomingMessage);
  const response = await Promise.race([refused, once(client, 'open').then(() => undefined)]);
  refused.catch(() => undefined);
  const body = response ? (await response.toArray()).join('') : '';
  return {
    isPlaying: response === undefined,
    responseText: `${response?.statusCode} ${body}`,
    isClosed: () => client.readyState === WebSocket.CLOSED,
    leave: () => client.terminate(),
  };
};

/** Requests the first playlist. HLS has no connection, so the viewer leaves by sending no more requests. */
export const playHls: StartAttempt = async ({ http }, app, stream) => {
  const response = await fetch(`http://127.0.0.1:${http}/${app}/${encodeURIComponent(stream)}.m3u8`);
  const body = await response.text();
  const own = /^[^#\s].*$/m.exec(body)?.[0];
  const repeatRequest = async () => void (await fetch(new URL(own ?? '', response.url)));
  const responseText = `${response.status} ${body}`;
  return { isPlaying: response.ok, responseText, isClosed: () => true, leave: () => {}, repeatRequest };
};
