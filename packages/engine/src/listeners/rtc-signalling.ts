// The HTTP side of WebRTC: WHIP (RFC 9725), WHEP and the older JSON calls. Reads requests, writes answers; sessions are made
// by the host of this module.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { maxOfferBytes } from '../protocols/sdp/sdp-offer.ts';
import { ProtocolError } from '../util/protocol-error.ts';

export interface RtcRequest {
  readonly action: 'publish' | 'play';
  readonly app: string;
  readonly stream: string;
  /** Whole query text, as callbacks carry it. */
  readonly param: string;
  /** Addresses the answer must name, from `eip` or `candidate`: `ip` or `ip:port`, comma separated. */
  readonly candidates: readonly string[];
  readonly offer: string;
  readonly ip: string;
  readonly pageUrl: string;
  readonly userAgent: string | undefined;
}

interface RtcAccepted {
  readonly answer: string;
  readonly sessionId: string;
  readonly token: string;
}

interface RtcRefused {
  readonly status: number;
  readonly name: string;
  readonly message: string;
}

export type RtcResult = ({ readonly ok: true } & RtcAccepted) | ({ readonly ok: false } & RtcRefused);

export interface RtcSessionHost {
  open(request: RtcRequest): Promise<RtcResult>;
  /** Ends a session: `unknown` counts as done, a wrong token does not. */
  end(sessionId: string, token: string): 'ended' | 'unknown' | 'wrong-token';
}

const paths: Readonly<Record<string, 'publish' | 'play'>> = {
  '/rtc/v1/whip': 'publish',
  '/rtc/v1/whep': 'play',
  '/rtc/v1/whip-play': 'play',
  '/rtc/v1/publish': 'publish',
  '/rtc/v1/play': 'play',
};
const defaultApp = 'live';
const defaultStream = 'livestream';

/** True when the request was one of ours; the answer follows. */
export function handleRtcRequest(
  host: RtcSessionHost,
  request: IncomingMessage,
  response: ServerResponse,
  ip: string,
): boolean {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const path = url.pathname.replace(/\/$/, '');
  const action = paths[path];
  if (!action) return false;
  if (request.method === 'OPTIONS') response.writeHead(200).end();
  else if (request.method === 'DELETE') endSession(host, url, response);
  else if (request.method === 'POST') void openSession({ host, request, response, url, ip, path, action });
  else
    refuse(response, { status: 405, name: 'method-not-allowed', message: 'POST an SDP offer, or DELETE the session' });
  return true;
}

interface Exchange {
  readonly host: RtcSessionHost;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly ip: string;
  readonly path: string;
  readonly action: 'publish' | 'play';
}

async function openSession(exchange: Exchange): Promise<void> {
  const { host, request, response, url, path } = exchange;
  try {
    const body = await readBody(request);
    const isJson = path.endsWith('/publish') || path.endsWith('/play');
    if (isJson) await openByJson(exchange, body);
    else {
      const result = await host.open(toRequest(exchange, url.searchParams, url.search.slice(1), body));
      if (result.ok) answerSdp(response, url, result);
      else refuse(response, result);
    }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    refuse(response, { status: 400, name: 'offer-invalid', message: error.reason });
  }
}

function toRequest(
  { action, ip, request }: Exchange,
  query: URLSearchParams,
  param: string,
  offer: string,
): RtcRequest {
  const candidates = (query.get('eip') ?? query.get('candidate') ?? '').split(',').filter((text) => text !== '');
  return {
    action: query.get('action') === 'play' ? 'play' : action,
    app: query.get('app') ?? defaultApp,
    stream: query.get('stream') ?? defaultStream,
    param,
    candidates,
    offer,
    ip,
    pageUrl: request.headers.referer ?? '',
    userAgent: request.headers['user-agent'],
  };
}

function answerSdp(response: ServerResponse, url: URL, { answer, sessionId, token }: RtcAccepted): void {
  const query = new URLSearchParams({
    action: 'delete',
    token,
    app: url.searchParams.get('app') ?? defaultApp,
    stream: url.searchParams.get('stream') ?? defaultStream,
    session: sessionId,
  });
  response.writeHead(201, { 'Content-Type': 'application/sdp', Location: `/rtc/v1/whip/?${query}` }).end(answer);
}

/** The older form: the stream is named by a `webrtc://` address, SDP travels in JSON, errors in `code`. */
async function openByJson(exchange: Exchange, body: string): Promise<void> {
  const { sdp, streamurl } = parseJsonCall(body);
  const address = new URL(streamurl.replace(/^webrtc:/, 'http:'));
  const path = address.pathname.replace(/^\//, '');
  const slash = path.lastIndexOf('/');
  const query = new URLSearchParams(address.search);
  for (const [key, value] of exchange.url.searchParams) query.set(key, value);
  query.set('app', slash < 0 ? defaultApp : path.slice(0, slash));
  query.set('stream', path.slice(slash + 1));
  const result = await exchange.host.open(toRequest(exchange, query, address.search.slice(1), sdp));
  const answer = result.ok
    ? { code: 0, server: '', service: '', pid: `${process.pid}`, sdp: result.answer, sessionid: result.sessionId }
    : { code: result.status, server: '', service: '', pid: `${process.pid}`, message: result.message };
  exchange.response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
}

function parseJsonCall(body: string): { sdp: string; streamurl: string } {
  try {
    const { sdp, streamurl } = JSON.parse(body) as { sdp?: unknown; streamurl?: unknown };
    if (typeof sdp === 'string' && typeof streamurl === 'string' && URL.canParse(streamurl)) return { sdp, streamurl };
  } catch {
    // falls through to the refusal
  }
  throw new ProtocolError('sdp', 'the body must be JSON with sdp and streamurl');
}

function endSession(host: RtcSessionHost, url: URL, response: ServerResponse): void {
  const result = host.end(url.searchParams.get('session') ?? '', url.searchParams.get('token') ?? '');
  if (result === 'wrong-token') {
    refuse(response, { status: 403, name: 'token-wrong', message: 'the token does not belong to this session' });
  } else {
    response.writeHead(200).end();
  }
}

function refuse(response: ServerResponse, { status, name, message }: RtcRefused): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ code: status, data: { name, message } }));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxOfferBytes) throw new ProtocolError('sdp', 'offer is too long', maxOfferBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
