// A client for each output except RTSP: opens an address, reports each piece of media, and reports the end or refusal.
import { spawn } from 'node:child_process';
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { WhepViewer } from '../../../bench/lib/whep-viewer.ts';
import type { Product } from '../product.ts';

interface Listening {
  readonly onMedia: () => void;
  readonly onEnd: () => void;
}

type Play = (url: string, listening: Listening) => () => void;

interface Output {
  address(product: Product, stream: string): string;
  readonly play: Play;
  /** Time without media after which a viewer no longer counts as playing, milliseconds. */
  readonly everyMs: number;
}

/** Polling intervals of the players, milliseconds: the state of a WebRTC session, or a playlist. */
const lookEveryMs = { whep: 50, playlist: 500, lowLatency: 150 } as const;
/** Silence after which a WebRTC player reconnects, milliseconds. */
const whepSilenceMs = 3_000;
const requestMs = 5_000;

const http = (extension: string) => (product: Product, stream: string) => `${product.url}/live/${stream}.${extension}`;

export const outputs = {
  FLV: { address: http('flv'), play: playHttp, everyMs: 1_000 },
  WebSocket: { address: (...of) => http('flv')(...of).replace('http', 'ws'), play: playWebSocket, everyMs: 1_000 },
  TS: { address: http('ts'), play: playHttp, everyMs: 1_000 },
  RTMP: { address: (product, stream) => product.rtmpUrl(stream), play: playFfmpeg, everyMs: 1_000 },
  SRT: {
    address: ({ ports }, stream) => `srt://127.0.0.1:${ports.srt}?streamid=#!::r=live/${stream},m=request`,
    play: playFfmpeg,
    everyMs: 1_000,
  },
  WHEP: {
    address: ({ url }, stream) => `${url}/rtc/v1/whep/?app=live&stream=${stream}`,
    play: playWhep,
    everyMs: 1_000,
  },
  HLS: { address: http('m3u8'), play: playHls(lookEveryMs.playlist), everyMs: 6_000 },
  'LL-HLS': { address: http('ll.m3u8'), play: playHls(lookEveryMs.lowLatency), everyMs: 2_000 },
} satisfies Record<string, Output>;
export type OutputName = keyof typeof outputs;
export const outputNames = Object.keys(outputs) as OutputName[];

function playHttp(url: string, { onMedia, onEnd }: Listening): () => void {
  const request = get(url, { agent: false }, (response) => {
    if (response.statusCode !== 200) request.destroy();
    response.on('data', onMedia).on('error', () => undefined);
  });
  request.on('error', () => undefined).once('close', onEnd);
  return () => request.destroy();
}

function playWebSocket(url: string, { onMedia, onEnd }: Listening): () => void {
  const socket = new WebSocket(url);
  socket.addEventListener('message', onMedia);
  socket.addEventListener('close', onEnd);
  return () => socket.close();
}

function playFfmpeg(url: string, { onMedia, onEnd }: Listening): () => void {
  const quiet = ['-nostdin', '-loglevel', 'quiet', '-probesize', '100000', '-analyzeduration', '500000'];
  const args = [...quiet, '-i', url, '-c', 'copy', '-flush_packets', '1', '-f', 'mpegts', 'pipe:1'];
  const child = spawn('ffmpeg', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.on('data', onMedia);
  child.once('close', onEnd);
  return () => child.kill('SIGKILL');
}

function playWhep(url: string, { onMedia, onEnd }: Listening): () => void {
  let [heardAt, isOver] = [performance.now(), false];
  const isMeasuring = (): boolean => {
    // Called for each packet.
    heardAt = performance.now();
    onMedia();
    return true;
  };
  const firstError = { text: '', note: () => undefined } as never;
  const viewer = new WhepViewer(0, { url, timeoutMs: requestMs, port: undefined, firstError, isMeasuring });
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    viewer.leave('close').then(onEnd, onEnd);
  };
  const timer = setInterval(() => {
    if (viewer.failure || performance.now() - heardAt > whepSilenceMs) end();
  }, lookEveryMs.whep);
  viewer.open().catch(end);
  return end;
}

/** Reports media when the newest segment or part of the playlist has arrived completely. */
function playHls(everyMs: number): Play {
  return (url, { onMedia, onEnd }) => {
    const left = new AbortController();
    const download = async (address: string): Promise<string> => {
      const signal = AbortSignal.any([left.signal, AbortSignal.timeout(requestMs)]);
      const response = await fetch(address, { signal });
      if (!response.ok) throw new Error(`${address} returned ${response.status}`);
      return response.text();
    };
    const follow = async (): Promise<void> => {
      const variant = /^[^#\n]*\.m3u8.*$/m.exec(await download(url))?.[0];
      const playlist = variant ? new URL(variant, url).href : url;
      for (let last = ''; ; await delay(everyMs, undefined, { signal: left.signal })) {
        const newest = newestMedia(await download(playlist));
        if (newest === undefined || newest === last) continue;
        await download(new URL(newest, playlist).href);
        if (last !== '') onMedia();
        last = newest;
      }
    };
    follow().catch(onEnd);
    return () => left.abort();
  };
}

const newestMedia = (playlist: string): string | undefined =>
  [...playlist.matchAll(/^#EXT-X-PART:.*URI="([^"]+)"|^([^#\n]+)$/gm)]
    .map(([, part, segment]) => part ?? segment)
    .at(-1);
