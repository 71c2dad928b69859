// The HTTP side of WebRTC: WHIP (RFC 9725), WHEP and the older JSON calls. Parses requests and writes responses. `RtcSessionHost` creates
// the sessions.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EngineLogger } from '../../ports.ts';
import type { UnusedTable } from '../../util/unused-table.ts';
import { maxRtcBodyBytes, type RtcBody, readRtcBody } from './rtc-body.ts';
import { parseRtcStreamUrl, type RtcStreamAddress } from './rtc-stream-url.ts';
import { maxFragmentBytes, respondToTrickle } from './rtc-trickle.ts';

export interface RtcRequest {
  readonly action: 'publish' | 'play';
  readonly app: string;
  readonly stream: string;
  /** Complete query string of the request or, for the older JSON calls, of `streamurl`. */
  readonly param: string;
  /** Addresses for the SDP answer, from the query parameter `eip` or `candidate`: `ip` or `ip:port`, comma separated. */
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
  /** ETag of the ICE session (see `etagOf`). */
  readonly etag: string;
}

interface RtcRefused {
  readonly status: number;
  readonly name: string;
  readonly message: string;
  readonly codec?: string;
}

export type RtcResult = ({ readonly ok: true } & RtcAccepted) | ({ readonly ok: false } & RtcRefused);

export interface RtcSessionHost {
  readonly log: EngineLogger;
  /** Bodies that are being received. An aborted body gets the error response for a slow body. */
  readonly unreadBodies: UnusedTable<AbortController>;
  /** `gone`: `left` was aborted because the peer disconnected early. No session remains. */
  open(request: RtcRequest, left: AbortSignal): Promise<RtcResult | 'gone'>;
  /** Ends a session. Callers treat `unknown` as success and `wrong-token` as an error. */
  end(sessionId: string, token: string): 'ended' | 'unknown' | 'wrong-token';
  etag(sessionId: string, token: string): string | 'unknown' | 'wrong-token';
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

/** Returns true when the path is a WebRTC call. The response may follow asynchronously. */
export function handleRtcRequest(
  host: RtcSessionHost,
  request: IncomingMessage,
  response: ServerResponse,
  ip: string,
): boolean {
  const url = URL.parse(request.url ?? '/', 'http://localhost');
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  const action = paths[path];
  if (!url || !action) return false;
  const answer = bodyCalls[request.method ?? ''];
  if (request.method === 'OPTIONS') response.writeHead(200, { 'Accept-Post': 'application/sdp' }).end();
  else if (request.method === 'DELETE') endSession(host, url, response);
  else if (answer) {
    answer({ host, request, response, url, ip, path, action }).catch((error: unknown) => {
      host.log.error({ err: error, path }, 'WebRTC signalling request failed');
      if (response.headersSent) response.destroy();
      else
        refuse(response, {
          status: 500,
          name: 'internal',
          message: 'the WebRTC signalling request failed: see the log of the server',
        });
    });
  } else {
    response.setHeader('Allow', allowedMethods);
    refuse(response, {
      status: 405,
      name: 'method-not-allowed',
      message: 'method not allowed: POST an SDP offer, or DELETE the session',
    });
  }
  return true;
}

const allowedMethods = 'OPTIONS, POST, PATCH, DELETE';
const bodyCalls: Readonly<Record<string, (exchange: Exchange) => Promise<void>>> = {
  POST: openSession,
  PATCH: patchSession,
};

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
  const { response, path } = exchange;
  const left = new AbortController();
  if (response.destroyed) return; // the peer has already disconnected
  response.once('close', () => left.abort());
  const form = /\/(publish|play)$/.test(path) ? 'json' : 'sdp';
  const body = await receiveBody(exchange, maxRtcBodyBytes[form]);
  if (body.kind === 'too-long' || body.kind === 'too-slow') refuseBody(response, body.kind);
  else if (body.kind === 'whole' && form === 'json') await openByJson(exchange, body.text, left.signal);
  else if (body.kind === 'whole') await openBySdp(exchange, body.text, left.signal);
}

function receiveBody({ host, request, ip }: Exchange, maxBytes: number): Promise<RtcBody> {
  const reading = new AbortController();
  host.unreadBodies.add(reading, ip);
  return readRtcBody(request, maxBytes, reading.signal).finally(() => host.unreadBodies.remove(reading));
}

async function openBySdp(exchange: Exchange, offer: string, left: AbortSignal): Promise<void> {
  const { host, response, url } = exchange;
  if (offer.trim() === '') {
    refuse(response, { status: 400, name: 'offer-missing', message: 'the body must be an SDP offer' });
    return;
  }
  const result = await host.open(toRequest(exchange, url.searchParams, url.search.slice(1), offer), left);
  if (result === 'gone') return;
  if (result.ok) sendSdp(response, url, result);
  else refuse(response, result);
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

/** The HTTP front sets this property when a proxy publishes the server below a path prefix such as `/stream`. */
interface WithPathPrefix {
  readonly pathPrefix?: string;
}

function sendSdp(response: ServerResponse, url: URL, { answer, sessionId, token, etag }: RtcAccepted): void {
  const query = new URLSearchParams({
    action: 'delete',
    token,
    app: url.searchParams.get('app') ?? defaultApp,
    stream: url.searchParams.get('stream') ?? defaultStream,
    session: sessionId,
  });
  response.setHeader('ETag', etag);
  const { pathPrefix = '' } = response.req as WithPathPrefix;
  const location = `${pathPrefix}/rtc/v1/whip/?${query}`;
  response.writeHead(201, { 'Content-Type': 'application/sdp', Location: location }).end(answer);
}

/** Handles ICE candidates that a client sends after its offer (trickle ICE). */
async function patchSession(exchange: Exchange): Promise<void> {
  const { host, request, response, url } = exchange;
  const body = await receiveBody(exchange, maxFragmentBytes);
  if (body.kind === 'too-long' || body.kind === 'too-slow') refuseBody(response, body.kind);
  if (body.kind !== 'whole') return;
  const etag = host.etag(url.searchParams.get('session') ?? '', url.searchParams.get('token') ?? '');
  if (etag === 'wrong-token') return refuseToken(response);
  const answer = respondToTrickle({
    contentType: request.headers['content-type'] ?? '',
    ifMatch: request.headers['if-match'],
    fragment: body.text,
    etag: etag === 'unknown' ? undefined : etag,
  });
  if (answer.status === 204) response.writeHead(204).end();
  else refuse(response, answer);
}

/** Handles the older calls: a `webrtc://` URL names the stream, SDP is in JSON, and errors are a `code` in a 200 response. */
async function openByJson(exchange: Exchange, body: string, left: AbortSignal): Promise<void> {
  const call = parseJsonCall(body);
  if (typeof call === 'string') {
    sendJson(exchange.response, { code: 400, message: call });
    return;
  }
  const query = new URLSearchParams(call.address.query);
  for (const [key, value] of exchange.url.searchParams) query.set(key, value);
  query.set('app', call.address.app ?? defaultApp);
  query.set('stream', call.address.stream);
  const result = await exchange.host.open(toRequest(exchange, query, call.address.query, call.sdp), left);
  if (result === 'gone') return;
  if (result.ok) sendJson(exchange.response, { code: 0, sdp: result.answer, sessionid: result.sessionId });
  else sendJson(exchange.response, { code: result.status, message: result.message });
}

/** Returns the parsed call, or an error message. */
function parseJsonCall(body: string): { sdp: string; address: RtcStreamAddress } | string {
  let call: { sdp?: unknown; streamurl?: unknown } | null | undefined;
  try {
    call = JSON.parse(body);
  } catch {
    // refused below
  }
  if (typeof call?.sdp !== 'string' || typeof call.streamurl !== 'string') {
    return 'the body must be JSON with sdp and streamurl';
  }
  const address = parseRtcStreamUrl(call.streamurl);
  return address ? { sdp: call.sdp, address } : 'streamurl must be like webrtc://host/app/stream';
}

function sendJson(response: ServerResponse, { code, ...facts }: { code: number } & Record<string, unknown>): void {
  const answer = { code, server: '', service: '', pid: `${process.pid}`, ...facts };
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
}

/** Closes the connection after the response, so that the rest of the body is not received. */
function refuseBody(response: ServerResponse, kind: 'too-long' | 'too-slow'): void {
  response.setHeader('Connection', 'close');
  if (kind === 'too-slow') {
    refuse(response, { status: 408, name: 'offer-too-slow', message: 'the offer did not arrive in time' });
  } else {
    refuse(response, { status: 413, name: 'offer-too-long', message: 'the offer is too long' });
  }
}

function endSession(host: RtcSessionHost, url: URL, response: ServerResponse): void {
  const result = host.end(url.searchParams.get('session') ?? '', url.searchParams.get('token') ?? '');
  if (result === 'wrong-token') {
    refuseToken(response);
  } else {
    response.writeHead(200).end();
  }
}

function refuseToken(response: ServerResponse): void {
  refuse(response, { status: 403, name: 'token-wrong', message: 'the token does not belong to this session' });
}

function refuse(response: ServerResponse, { status, name, message, codec }: RtcRefused): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ code: status, data: { name, message, codec } }));
}
