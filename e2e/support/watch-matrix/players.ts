// Players with a permanent connection: one for each output except HLS, RTSP and HTTP-AAC.
import { get } from 'node:http';
import { WhepViewer } from '../../../bench/lib/whep-viewer.ts';
import { playRtmp, playSrt } from '../../../packages/engine/test/players.ts';
import type { Product } from '../product.ts';
import { until } from '../until.ts';
import { portsOf, withQuery } from './outputs.ts';

interface Place {
  readonly product: Product;
  readonly gateway: number;
  readonly stream: string;
  readonly query: string;
}

export interface Playing {
  readonly isOver: () => boolean;
}

/** Silence after which a WebRTC player counts as disconnected, milliseconds. */
const silenceMs = 3_000;
const requestMs = 20_000;

const httpOf = ({ product, gateway }: Place) => `http://127.0.0.1:${product.portsOf(gateway).http}`;

const overHttp =
  (extension: string) =>
  async (place: Place): Promise<Playing | undefined> => {
    let isOver = false;
    let hasMedia = false;
    const request = get(withQuery(`${httpOf(place)}/live/${place.stream}.${extension}`, place.query), { agent: false });
    request.on('response', (response) => {
      response.on('data', () => {
        hasMedia = response.statusCode === 200;
      });
      response.on('error', () => undefined);
    });
    request
      .on('error', () => undefined)
      .once('close', () => {
        isOver = true;
      });
    await until(`${extension} plays`, () => hasMedia || isOver);
    return hasMedia ? { isOver: () => isOver } : undefined;
  };

async function overWebSocket(place: Place): Promise<Playing | undefined> {
  const url = withQuery(`${httpOf(place)}/live/${place.stream}.flv`, place.query).replace('http', 'ws');
  const client = new WebSocket(url);
  let hasMedia = false;
  client.addEventListener('message', () => {
    hasMedia = true;
  });
  const isOver = () => client.readyState === WebSocket.CLOSED;
  await until('a WebSocket plays', () => hasMedia || isOver());
  return hasMedia ? { isOver } : undefined;
}

async function overWebrtc(place: Place): Promise<Playing | undefined> {
  const url = withQuery(`${httpOf(place)}/rtc/v1/whep/?app=live&stream=${place.stream}`, place.query);
  let heardAt = 0;
  const isMeasuring = (): boolean => {
    // Called for each packet.
    heardAt = performance.now();
    return true;
  };
  const firstError = { text: '', note: () => undefined } as never;
  const viewer = new WhepViewer(0, { url, timeoutMs: requestMs, port: undefined, firstError, isMeasuring });
  await viewer.open();
  await until('WebRTC plays', () => heardAt > 0 || viewer.failure !== '');
  if (heardAt === 0) return undefined;
  let isOver = false;
  return {
    isOver: () => {
      if (!isOver && performance.now() - heardAt > silenceMs) {
        isOver = true;
        viewer.leave('close').catch(() => undefined);
      }
      return isOver;
    },
  };
}

export const players: Readonly<Record<string, (place: Place) => Promise<Playing | undefined>>> = {
  RTMP: async ({ product, gateway, stream, query }) => {
    const attempt = await playRtmp(portsOf(product, gateway), 'live', withQuery(stream, query));
    return attempt.isPlaying || attempt.responseText.startsWith('NetStream.Play.Reset')
      ? { isOver: attempt.isClosed }
      : undefined;
  },
  SRT: async ({ product, gateway, stream, query }) => {
    const attempt = await playSrt(portsOf(product, gateway), 'live', `${stream}?${query}`);
    return attempt.isPlaying ? { isOver: attempt.isClosed } : undefined;
  },
  'HTTP-FLV': overHttp('flv'),
  'HTTP-TS': overHttp('ts'),
  'WebSocket-FLV': overWebSocket,
  WHEP: overWebrtc,
};

/** Starts a player. Resolves when it plays, or with undefined when the server refused it. */
export function begin(output: string, place: Place): Promise<Playing | undefined> {
  return players[output]!(place);
}
