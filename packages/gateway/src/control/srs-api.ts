// The SRS-compatible HTTP API, which control planes call on SRS_API_LISTEN and on the internal port. The public front serves its version.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ReportFault } from '@srs-stack/engine';
import type { ServerIdentity } from '../callbacks/callback-body.ts';
import { serverHeader } from '../product-version.ts';
import type { CallResult, SrsCall } from './srs-calls.ts';

export interface SrsApiOptions {
  readonly calls: ReadonlyMap<string, SrsCall>;
  readonly identity: ServerIdentity;
  readonly onFault: ReportFault;
}

/** A JSONP callback must be a JavaScript identifier or a path such as `a.b`: any other text could be code. */
const callbackName = /^[A-Za-z_$][\w$.]{0,127}$/;

export function createSrsApi({ calls, identity, onFault }: SrsApiOptions): RequestListener {
  return (request, response) => {
    request.resume();
    response.setHeader('Server', serverHeader);
    const url = URL.parse(request.url ?? '/', 'http://srs');
    const found = url && findCall(calls, url.pathname);
    if (!url || !found) return sendStatus(response, 404);
    if (found.redirect) {
      response.setHeader('Location', `${url.pathname}/${url.search}`);
      return sendStatus(response, 302);
    }
    if (!found.call.methods.includes(methodOf(request))) return sendStatus(response, 405);
    const callback = url.searchParams.get('callback');
    if (callback !== null && !callbackName.test(callback)) return sendStatus(response, 400);
    try {
      const result = found.call.answer({ method: methodOf(request), id: found.id, query: url.searchParams });
      sendResult(response, identity, result, callback);
    } catch (error) {
      onFault(error, { path: url.pathname }, 'call of the HTTP API failed');
      if (response.headersSent) response.destroy();
      else sendStatus(response, 500);
    }
  };
}

/** HEAD is handled as GET. Node omits the body. */
function methodOf(request: IncomingMessage): string {
  return request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
}

interface Found {
  readonly call: SrsCall;
  readonly id: string;
  /** True when the path lacks the trailing slash. */
  readonly redirect: boolean;
}

function findCall(calls: ReadonlyMap<string, SrsCall>, pathname: string): Found | undefined {
  const exact = calls.get(pathname);
  if (exact) return { call: exact, id: '', redirect: false };
  const withSlash = calls.get(`${pathname}/`);
  if (withSlash) return { call: withSlash, id: '', redirect: true };
  const [, folder = '', id = ''] = /^(\/api\/v1\/[a-z]+\/)([\w-]+)$/.exec(pathname) ?? [];
  const call = calls.get(folder);
  return call && { call, id, redirect: false };
}

function sendResult(
  response: ServerResponse,
  { serverId, serviceId }: ServerIdentity,
  result: CallResult,
  callback: string | null,
): void {
  const { code = 0, ...keys } = result;
  const json = JSON.stringify({ code, server: serverId, service: serviceId, pid: String(process.pid), ...keys });
  const body = callback === null ? json : `${callback}(${json})`;
  response.writeHead(200, {
    'Content-Type': callback === null ? 'application/json' : 'text/javascript',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}

function sendStatus(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'Content-Length': 0 });
  response.end();
}
