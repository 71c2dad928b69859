// Serves the built console: files, which browsers may cache, and the responses to calls that a state defines.
// Also responds to requests of posters and of the media server's API. Requests of media stay open.

import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { constants, createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Endpoint,
  type EndpointName,
  type ErrorName,
  endpoints,
  errorCatalogue,
  eventStreamPath,
  openApiPath,
  resumableUploadPath,
} from '@srs-stack/contract';
import { openApiDocument } from '../../packages/platform/src/http/pages/openapi-document.ts';
import { issueCertificate } from '../../packages/platform/src/testing/certificates.ts';
import { axePath, axeSource } from './accessibility.ts';
import type { Answers, CallAnswer } from './gallery-page.ts';
import { storyboard } from './samples/rewind.ts';

const dist = fileURLToPath(new URL('../../packages/console/dist', import.meta.url));
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};
const callsByPath = new Map<string, EndpointName>(
  (Object.entries(endpoints) as [EndpointName, Endpoint][]).map(([name, { path }]) => [path, name]),
);
export const secureOrigin = 'https://live.example.com';
const plainOrigin = 'http://203.0.113.9:2022';
const localOrigin = 'http://localhost:2022';

export interface BuiltConsole {
  /** Responses to calls. An assignment applies to all later calls. */
  answers: Answers;
  /** Holds back the responses of these calls until `letGo`. */
  keepBack(names: readonly EndpointName[]): void;
  letGo(name: EndpointName): void;
  /** Calls since the last check that had no defined response, or that the contract does not contain. */
  takeFaults(): string[];
  /** Whether requests of this path get no response for now: calls held back, uploads and media. */
  isHeld(pathname: string): boolean;
  readonly chromiumFlags: readonly string[];
  close(): void;
}

export async function serveBuiltConsole(): Promise<BuiltConsole> {
  const faults = new Set<string>();
  const built: Pick<BuiltConsole, 'answers'> = { answers: {} };
  const kept = new Map<EndpointName, (() => void)[]>();
  const { key, crt: cert } = issueCertificate(new Date(), { name: new URL(secureOrigin).hostname });
  const answerAny = (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const give = () => void answer(request, response, built.answers, (fault) => faults.add(fault));
    const waiting = kept.get(callsByPath.get(pathOf(request.url))!);
    if (waiting) waiting.push(give);
    else give();
  };
  const settings = { initialWindowSize: uploadWindowBytes };
  const secure = createSecureServer({ key, cert, allowHTTP1: true, settings }, answerAny);
  secure.on('session', (session) => session.setLocalWindowSize(uploadWindowBytes));
  // The methods used here exist in HTTP/1.1 and HTTP/2 responses.
  const plain = createServer(answerAny as unknown as RequestListener);
  const [securePort, plainPort] = await Promise.all([secure, plain].map(listen));
  const { host: plainHost } = new URL(plainOrigin);
  const { host: localHost } = new URL(localOrigin);
  const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  return Object.assign(built, {
    takeFaults: () => {
      const found = [...faults];
      faults.clear();
      return found;
    },
    keepBack: (names: readonly EndpointName[]) => {
      for (const name of names) kept.set(name, []);
    },
    letGo: (name: EndpointName) => {
      const waiting = kept.get(name) ?? [];
      kept.delete(name);
      for (const give of waiting) give();
    },
    isHeld: (pathname: string) => kept.has(callsByPath.get(pathname)!) || isHeld(pathname, built.answers),
    chromiumFlags: [
      `--host-resolver-rules=MAP ${new URL(secureOrigin).host}:443 127.0.0.1:${securePort},MAP ${plainHost} 127.0.0.1:${plainPort},MAP ${localHost} 127.0.0.1:${plainPort}`,
      `--ignore-certificate-errors-spki-list=${createHash('sha256').update(publicKey).digest('base64')}`,
    ],
    close: () => {
      secure.close();
      plain.close();
      plain.closeAllConnections();
    },
  });
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

const pathOf = (url: string | undefined) => new URL(url ?? '/', secureOrigin).pathname;

/** Bytes of an upload that the server accepts without reading them: more than a third of the sample file. */
const uploadWindowBytes = 6 * 1024 ** 2;

/** Media and WebRTC: no data is sent. The request stays open until the page is left. */
const mediaPath = /\.(?:flv|m3u8|ts|mp4)$|^\/rtc\//;

const watchPagePath = /^\/watch\/[^/.]+\/[^/.]+$/;

const notLivePath = /^\/live\/not-live\./;
const refusedPath = /^\/live\/refused\./;

function isHeld(pathname: string, answers: Answers): boolean {
  if (pathname.startsWith(`${resumableUploadPath}/`)) return answers.upload === 'pending';
  const name = callsByPath.get(pathname);
  return name
    ? answers[name] === 'pending'
    : mediaPath.test(pathname) && ![notLivePath, refusedPath].some((path) => path.test(pathname));
}

async function answer(
  { url, method, headers }: Http2ServerRequest,
  response: Http2ServerResponse,
  answers: Answers,
  report: (fault: string) => void,
): Promise<void> {
  const pathname = pathOf(url);
  const name = callsByPath.get(pathname);
  if (pathname.startsWith(resumableUploadPath)) answerUpload(response, method, headers.origin, answers.upload);
  else if (name) answerCall(response, name, answers[name] as CallAnswer<unknown> | undefined, report);
  else if (isHeld(pathname, answers)) return;
  else if (pathname === axePath) send(response, axeSource, 'text/javascript', true);
  else if (pathname === openApiPath) send(response, await openApiDocument('1.2.3'), 'application/json');
  else if (watchPagePath.test(pathname)) sendFile(response, '/watch/index.html');
  else if (/\/poster\.jpg$|^\/watch\/pictures\//.test(pathname)) send(response, testPicture, 'image/svg+xml');
  else if (/\.rewind-\d+\.jpg$/.test(pathname)) send(response, testPicture, 'image/svg+xml');
  else if (/\.rewind\.vtt$/.test(pathname)) send(response, storyboard, 'text/vtt');
  // Without an event stream, the console starts polling immediately.
  else if (pathname === eventStreamPath) answerRefusal(response, 'tooManyEventStreams');
  else if (notLivePath.test(pathname)) refuse(response, 404);
  else if (refusedPath.test(pathname)) refuse(response, 401);
  // Only the media server console sends these calls.
  else if (pathname.startsWith('/api/v1/')) answerSrs(response, answers.srs);
  else if (pathname.startsWith('/terraform/')) {
    report(`${pathname} is not a call of the contract`);
    refuse(response, 404);
  } else sendFile(response, pathname);
}

function answerCall(
  response: Http2ServerResponse,
  name: EndpointName,
  given: CallAnswer<unknown> | undefined,
  report: (fault: string) => void,
): void {
  if (!given) report(`${name} was called, but the state defines no response`);
  if (given === 'pending') return;
  if (given === 'unreachable') breakOff(response);
  else if (given && 'data' in given) {
    const checked = endpoints[name].response.safeParse(given.data);
    if (!checked.success) report(`the response of ${name} violates the contract: ${checked.error.message}`);
    send(response, JSON.stringify({ code: 0, server: 1, data: given.data }), 'application/json');
  } else answerRefusal(response, given?.refusal ?? 'notFound');
}

function answerSrs(response: Http2ServerResponse, given: Answers['srs']): void {
  if (given === 'unreachable') breakOff(response);
  else send(response, JSON.stringify({ ...emptyMediaServer, ...given }), 'application/json');
}

/** The server accepts a resumable upload but reads no further data, so the displayed progress stays. */
function answerUpload(
  response: Http2ServerResponse,
  method: string,
  origin: string | undefined,
  upload: Answers['upload'],
): void {
  if (typeof upload === 'object') answerRefusal(response, upload.refusal);
  else if (method === 'POST') {
    response.statusCode = 201;
    response.setHeader('Location', `${origin ?? ''}${resumableUploadPath}/11111111-1111-4111-8111-111111111111`);
    response.setHeader('Tus-Resumable', '1.0.0');
    response.end();
  } else if (method === 'DELETE') refuse(response, 204);
}

function answerRefusal(response: Http2ServerResponse, name: ErrorName): void {
  const { httpStatus, code, message } = errorCatalogue[name];
  response.statusCode = httpStatus;
  const data = { message, name, requestId: 'r-7f3a91c2' };
  send(response, JSON.stringify({ code, server: 1, data }), 'application/json');
}

/** Resets the HTTP/2 stream, or closes the HTTP/1 connection, without a response. The page then assumes that the server is unreachable. */
function breakOff({ stream, socket }: Http2ServerResponse): void {
  if (stream) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else socket.destroy();
}

function sendFile(response: Http2ServerResponse, pathname: string): void {
  const path = pathname.startsWith('/mgmt/') ? pathname.slice('/mgmt'.length) : pathname;
  const file = extname(path) ? path : '/index.html';
  const body = fileOf(file);
  if (!body) refuse(response, 404);
  else send(response, body, types[extname(file)] ?? 'application/octet-stream', file.startsWith('/assets/'));
}

const files = new Map<string, Buffer>();

function fileOf(file: string): Buffer | undefined {
  const known = files.get(file);
  if (known) return known;
  try {
    const body = readFileSync(join(dist, file));
    files.set(file, body);
    return body;
  } catch {
    return undefined;
  }
}

function send(response: Http2ServerResponse, body: string | Buffer, type: string, isForever = false): void {
  response.setHeader('content-type', type);
  response.setHeader('cache-control', isForever ? 'public, max-age=31536000, immutable' : 'no-store');
  response.end(body);
}

function refuse(response: Http2ServerResponse, status: number): void {
  response.statusCode = status;
  response.end();
}

const emptyMediaServer = { code: 0, server: 'vid-0a1b2c3', streams: [], clients: [], vhosts: [], data: {} };

/** A poster with bars and a horizon, which make cropping visible. */
const testPicture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 90" width="640" height="360">
<rect width="160" height="90" fill="#1d3a4a"/><circle cx="112" cy="34" r="14" fill="#f0a92e"/>
<path d="M0 66 40 40 70 62 100 44 160 70V90H0Z" fill="#0d8376"/><path d="M0 90 60 62 160 84V90Z" fill="#053f3a"/></svg>`;
