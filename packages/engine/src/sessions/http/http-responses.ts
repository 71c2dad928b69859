// Heads of all responses below a media path, readable by pages of other sites (CORS) by default. Error responses, which are never cached.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlayRefusal, PlayRule } from '../gate/play-gate.ts';

/** Alternating names and values, which Node writes without looking up each name. */
export type HeaderList = readonly (string | number)[];

/** A server with its own headers for every response, including CORS, sets this property on the request. */
export interface WithResponseHeaders {
  readonly responseHeaders?: HeaderList;
}

/** Set on a response whose body is in shared memory, so that the memory is not counted per response. */
export interface WithSharedBody {
  sharedBytes?: number;
}

/** Headers with which any page may read the response (CORS). Send each header only once. */
export const openHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Allow-Methods': '*',
  'Access-Control-Expose-Headers': '*',
  'Access-Control-Allow-Credentials': 'true',
} as const;

/** Default headers of all responses below a media path. */
const openHeaderList: HeaderList = Object.entries(openHeaders).flat();
export const uncached: HeaderList = ['Cache-Control', 'no-store'];

/** The default headers for this request, followed by `headers`. */
export function withOpenHeaders(
  { responseHeaders }: IncomingMessage & WithResponseHeaders,
  headers: HeaderList,
): (string | number)[] {
  return [...(responseHeaders ?? openHeaderList), ...headers];
}

/** Writes the head of a response with the default headers for the request. */
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

/**
 * Reasons with another status than their rule. 401 for viewers without authorization; 403 would mean that authorization does not help (RFC
 * 9110 §15.5.2).
 */
const statusOfReason: Partial<Record<PlayRefusal['reason'], Failure['status']>> = {
  'link-missing': 401,
  'link-expired': 401,
  'password-missing': 401,
  'control-plane-away': 503,
};

/** Response for a refused viewer. */
export function toFailure({ rule, reason, detail }: PlayRefusal): Failure {
  return { status: statusOfReason[reason] ?? statusOf[rule], name: reason, message: detail };
}

/** Challenge of 401 responses, required by RFC 9110 §11.6.1. Browsers open no dialog, because they do not know this scheme. */
const watchChallenge = 'Watch';

export function sendFailure(response: ServerResponse, { status, name, message }: Failure): void {
  const body = toBody({ name, message });
  const allow = status === 405 ? ['Allow', 'GET, HEAD, OPTIONS'] : [];
  const challenge = status === 401 ? ['WWW-Authenticate', watchChallenge] : [];
  const content = ['Content-Type', 'application/json', 'Content-Length', body.length];
  writeOpenHead(response, status, [...uncached, ...allow, ...challenge, ...content]);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Responds to a viewer that the host has refused. */
export function refusePlay(response: ServerResponse, { reason, detail }: Pick<PlayRefusal, 'reason' | 'detail'>): void {
  sendFailure(response, toFailure({ ok: false, rule: 'host', reason, detail }));
}

/** An error response for the socket of an upgrade request, which is detached from its HTTP server. */
export function toRawFailure({ status, name, message }: Failure): string {
  const body = toBody({ name, message });
  const head = `HTTP/1.1 ${status} ${name}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${head}Connection: close\r\n\r\n${body}`;
}

function toBody(failure: { name: string; message: string }): Buffer {
  return Buffer.from(JSON.stringify(failure));
}
