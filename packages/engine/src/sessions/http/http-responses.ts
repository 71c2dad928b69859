// Responses of the media paths that are not media. Players on other sites may read them (CORS), and they are never cached.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlayRefusal, PlayRule } from '../gate/play-gate.ts';

/** Alternating names and values: the form that Node writes without looking up each name. */
export type HeaderList = readonly (string | number)[];

/** A front with its own headers for every response, including CORS, sets this property on the request. */
export interface WithResponseHeaders {
  readonly responseHeaders?: HeaderList;
}

/** A response whose body is in shared memory sets this property; fronts that count memory ignore it. */
export interface WithSharedBody {
  sharedBytes?: number;
}

/** Headers that allow any page to read the response (CORS); each must be sent only once. Fronts use them for their own responses. */
export const openHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Allow-Methods': '*',
  'Access-Control-Expose-Headers': '*',
  'Access-Control-Allow-Credentials': 'true',
} as const;

/** Default headers of everything below a media path, including media. */
const openHeaderList: HeaderList = Object.entries(openHeaders).flat();
export const uncached: HeaderList = ['Cache-Control', 'no-store'];

/** The default headers of all responses to this request, followed by the given ones. */
export function withOpenHeaders(
  { responseHeaders }: IncomingMessage & WithResponseHeaders,
  headers: HeaderList,
): (string | number)[] {
  return [...(responseHeaders ?? openHeaderList), ...headers];
}

/** Starts a response that any page may read. */
export function writeOpenHead(response: ServerResponse, status: number, headers: HeaderList): ServerResponse {
  return response.writeHead(status, withOpenHeaders(response.req, headers));
}

export interface Failure {
  readonly status: 400 | 401 | 403 | 404 | 405 | 415 | 503;
  /** Stable code for programs. */
  readonly name: string;
  /** English message for people. */
  readonly message: string;
}

const statusOf: Readonly<Record<PlayRule, Failure['status']>> = {
  name: 400,
  existence: 404,
  limit: 503,
  unsupported: 415,
  absent: 404,
  host: 403,
};

/** Status for viewers without authorization: 401, as opposed to 403 (RFC 9110 §15.5.2). */
const statusOfReason: Partial<Record<PlayRefusal['reason'], Failure['status']>> = {
  'link-missing': 401,
  'link-expired': 401,
  'password-missing': 401,
  'control-plane-away': 503,
};

/** Message for a refused viewer. */
export function toFailure({ rule, reason, detail }: PlayRefusal): Failure {
  return { status: statusOfReason[reason] ?? statusOf[rule], name: reason, message: detail };
}

/** Challenge of 401 responses (RFC 9110 §11.6.1 requires one). Its scheme is unknown, so that browsers open no dialog. */
const watchChallenge = 'Watch';

export function sendFailure(response: ServerResponse, { status, name, message }: Failure): void {
  const body = toBody({ name, message });
  const allow = status === 405 ? ['Allow', 'GET, HEAD, OPTIONS'] : [];
  const challenge = status === 401 ? ['WWW-Authenticate', watchChallenge] : [];
  const content = ['Content-Type', 'application/json', 'Content-Length', body.length];
  writeOpenHead(response, status, [...uncached, ...allow, ...challenge, ...content]);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Responds to a viewer that a verdict refused. */
export function refusePlay(response: ServerResponse, { reason, detail }: Pick<PlayRefusal, 'reason' | 'detail'>): void {
  sendFailure(response, toFailure({ ok: false, rule: 'host', reason, detail }));
}

/** An error response for a socket that has been detached from its HTTP server (upgrade requests). */
export function toRawFailure({ status, name, message }: Failure): string {
  const body = toBody({ name, message });
  const head = `HTTP/1.1 ${status} ${name}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${head}Connection: close\r\n\r\n${body}`;
}

function toBody(failure: { name: string; message: string }): Buffer {
  return Buffer.from(JSON.stringify(failure));
}
