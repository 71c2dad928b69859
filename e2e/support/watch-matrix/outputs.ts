// Addresses of a stream that return media, a playlist or an image, without RTSP: how to request the address, and the result.
// `promised` (`rights.ts`) returns the expected result.
import { randomBytes } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { recordLinkPrefix } from '@srs-stack/contract';
import { playRtmp, playSrt } from '../../../packages/engine/test/players.ts';
import { playOffer } from '../../../packages/engine/test/rtc-rig.ts';
import { createOneAtATime } from '../../../packages/platform/src/concurrency/one-at-a-time.ts';
import type { Product } from '../product.ts';
import type { Files } from './files.ts';

interface Asked {
  readonly product: Product;
  readonly gateway: number;
  readonly stream: string;
  readonly query: string;
  readonly files: Files;
}

export interface Output {
  readonly isFile?: boolean;
  /** Whether the output is a file of a recording. The control plane serves these files, and its refusals have other names. */
  readonly isRecording?: boolean;
  /** Resolves with `plays` or the name of the refusal. An unexpected HTTP status is added before the name. */
  readonly ask: (asked: Asked) => Promise<string>;
}

const statusOf: Readonly<Record<string, number>> = {
  ...{ 'link-missing': 401, 'password-missing': 401, 'link-expired': 401 },
  ...{ 'link-wrong': 403, 'callback-refused': 403 },
  ...{ watchRightMissing: 401, watchRefused: 403, callbackRefused: 403 },
};

const resultOf = (status: number | undefined, name: string) => (statusOf[name] === status ? name : `${status} ${name}`);

export const withQuery = (url: string, query: string) =>
  query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;

/** The error name in a response of the gateway or the control plane. */
export function nameIn(body: string): string {
  try {
    const parsed = JSON.parse(body) as { name?: string; data?: { name?: string } };
    return parsed.name ?? parsed.data?.name ?? body;
  } catch {
    return body;
  }
}

/** Requests an HTTP address and reads only the first bytes. */
async function ofHttp(url: string, init: RequestInit = {}): Promise<string> {
  const leave = new AbortController();
  const response = await fetch(url, { ...init, signal: leave.signal, redirect: 'manual' });
  // Status 408: the connection was unused for ten seconds, so the client may retry (RFC 9110 §15.5.9).
  if (response.status === 408) return ofHttp(url, init);
  if (!response.ok) return resultOf(response.status, nameIn(await response.text()));
  const { value } = (await response.body?.getReader().read()) ?? {};
  leave.abort();
  return value && value.length > 0 ? 'plays' : 'nothing came';
}

const base = ({ product, gateway }: Asked) => `http://127.0.0.1:${product.portsOf(gateway).http}`;
const address = (path: (asked: Asked) => string) => (asked: Asked) =>
  ofHttp(withQuery(base(asked) + path(asked), asked.query));
const beside = (end: string) => ({ ask: address(({ stream }) => `/live/${stream}${end}`) });
const file = (path: (files: Files) => string) => ({ isFile: true, ask: address(({ files }) => path(files)) });
const recording = (path: (files: Files) => string) => ({
  isRecording: true,
  ask: address(({ files }) => recordLinkPrefix + path(files)),
});

interface UpgradeAnswer {
  readonly status: number | undefined;
  readonly body: string;
}

/**
 * Opens a WebSocket. Resolves with status 101 after its first message, or with the refusal.
 * Resolves with undefined when the server closed the connection.
 */
async function upgrade(url: string): Promise<UpgradeAnswer | undefined> {
  const key = randomBytes(16).toString('base64');
  const headers = {
    ...{ Connection: 'Upgrade', Upgrade: 'websocket' },
    ...{ 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': key },
  };
  const request = get(url, { headers, agent: false });
  request.on('error', () => undefined);
  const { promise, resolve } = Promise.withResolvers<UpgradeAnswer | undefined>();
  let isAnswered = false;
  request.once('upgrade', (_response, socket: Socket, head: Buffer) => {
    isAnswered = true;
    const opened = { status: 101, body: '' };
    socket.on('error', () => undefined).once('close', () => resolve(undefined));
    if (head.length > 0) resolve(opened);
    else socket.once('data', () => resolve(opened));
    promise.then(() => socket.destroy()).catch(() => undefined);
  });
  request.once('response', (response: IncomingMessage) => {
    isAnswered = true;
    const refusal = response.toArray().then((chunks) => ({ status: response.statusCode, body: chunks.join('') }));
    refusal.then(resolve, () => resolve(undefined));
  });
  request.once('close', () => {
    if (!isAnswered) resolve(undefined);
  });
  return promise;
}

async function askWebSocket(asked: Asked): Promise<string> {
  const answer = await upgrade(withQuery(`${base(asked)}/live/${asked.stream}.flv`, asked.query));
  return answer?.status === 101 ? 'plays' : resultOf(answer?.status, nameIn(answer?.body ?? 'nothing'));
}

async function askRtmp({ product, gateway, stream, query }: Asked): Promise<string> {
  const attempt = await playRtmp(portsOf(product, gateway), 'live', withQuery(stream, query));
  attempt.leave();
  const { isPlaying, responseText } = attempt;
  const isBegun = isPlaying || responseText.startsWith('NetStream.Play.Reset');
  return isBegun ? 'plays' : (/^NetStream\.Play\.Failed .*?([\w-]+):/.exec(responseText)?.[1] ?? responseText);
}

/** Plays over SRT. A refusal is only a number (the code of libsrt plus 1000), so refusals with equal codes cannot be distinguished. */
async function askSrt({ product, gateway, stream, query }: Asked): Promise<string> {
  const attempt = await playSrt(portsOf(product, gateway), 'live', query === '' ? stream : `${stream}?${query}`);
  attempt.leave();
  return attempt.isPlaying ? 'plays' : `${Number(attempt.responseText) - 1_000}`;
}

/** SRT players connect one at a time. A player gives up after 3 s, which is too short if a hundred players wait for verdicts. */
const oneCallerAtATime = createOneAtATime();

export function portsOf(product: Product, gateway: number): { http: number; rtmp: number; srt: number } {
  const { http, rtmp, srt } = product.portsOf(gateway);
  return { http, rtmp: rtmp!, srt: srt! };
}

/** Sends only the WHEP call, and deletes the session without connecting. */
async function askWhep(asked: Asked): Promise<string> {
  const url = withQuery(`${base(asked)}/rtc/v1/whep/?app=live&stream=${asked.stream}`, asked.query);
  const response = await fetch(url, { method: 'POST', body: playOffer });
  const body = await response.text();
  if (response.status !== 201) return resultOf(response.status, nameIn(body));
  await fetch(new URL(response.headers.get('location')!, url), { method: 'DELETE' });
  return 'plays';
}

/** Requests a WebSocket at an address that does not support it. */
export async function webSocketTs(asked: Asked): Promise<string> {
  const answer = await upgrade(withQuery(`${base(asked)}/live/${asked.stream}.ts`, asked.query));
  return answer === undefined || answer.status !== 101 ? 'nothing' : 'plays';
}

export const outputs: Readonly<Record<string, Output>> = {
  RTMP: { ask: askRtmp },
  SRT: { ask: (asked) => oneCallerAtATime(() => askSrt(asked)) },
  WHEP: { ask: askWhep },
  'HTTP-FLV': beside('.flv'),
  'HTTP-TS': beside('.ts'),
  'HTTP-AAC': beside('.aac'),
  'WebSocket-FLV': { ask: askWebSocket },
  'HLS playlist': beside('.m3u8'),
  'HLS playlist of another viewer': { ask: address(({ files }) => files.playlist) },
  'HLS segment': file(({ segment }) => segment),
  'low-latency playlist': beside('.ll.m3u8'),
  'low-latency playlist of another viewer': { ask: address(({ files }) => files.lowLatency.playlist) },
  'low-latency playlist, blocking request': { ask: address(({ files }) => files.lowLatency.next()) },
  'low-latency initialization segment': file(({ lowLatency }) => lowLatency.init),
  'low-latency segment': file(({ lowLatency }) => lowLatency.segment),
  'low-latency part': file(({ lowLatency }) => lowLatency.part),
  'playlist of renditions': beside('/master.m3u8'),
  'playlist of a rendition': beside('~144p.m3u8'),
  'segment of a rendition': file(({ rendition }) => rendition),
  'rewind playlist': beside('.rewind.m3u8'),
  'rewind piece': beside('.rewind.m3u8?from=0'),
  'rewind segment': file(({ rewind }) => rewind.segment),
  'times of the seek bar': beside('.rewind.vtt'),
  'image of the seek bar': file(({ rewind }) => rewind.picture),
  'playlist of a recording': recording(({ recorded }) => `${recorded.uuid}.m3u8`),
  'segment of a recording': recording(({ recorded }) => recorded.segment),
  'MP4 of a recording': recording(({ recorded }) => `${recorded.uuid}/index.mp4`),
  'poster of a recording': recording(({ recorded }) => `${recorded.uuid}/poster.jpg`),
};

/** Converts the name of a refusal to the code or name that the output `name` returns. */
export function inWordsOf(name: string, refusal: string): string {
  if (refusal === 'plays') return refusal;
  if (name === 'SRT') return `1${statusOf[refusal]}`;
  if (!outputs[name]?.isRecording) return refusal;
  if (refusal === 'callback-refused') return 'callbackRefused';
  return refusal === 'link-wrong' ? 'watchRefused' : 'watchRightMissing';
}
