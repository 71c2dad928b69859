// Reverse proxy to the control plane over keep-alive connections (measured in docs/decisions/reverse-proxy.md). A slow client never
// occupies a connection that calls need (docs/decisions/fair-front.md).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileOfferHeader } from '@srs-stack/contract/file-handover.ts';
import type { PlatformAddress } from '@srs-stack/process/listen-address.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import type { Pool } from 'undici';
import type { FileSender } from '../files/file-sender.ts';
import { collectCallBody } from '../http/call-body.ts';
import { sendFailure, sendText } from '../http/failure-response.ts';
import type { Forwarded, ForwardedResolver } from '../http/forwarded.ts';
import { toPlatformHeaders } from '../http/proxy-headers.ts';
import { commonHeaderList } from '../http/response-headers.ts';
import { discardRest } from '../http/unread-body.ts';
import { addressKey } from '../limits/address-key.ts';
import { BodyMemory } from '../limits/body-memory.ts';
import {
  awayLogIntervalMs,
  bodyMemory,
  callWaitMs,
  connectTimeoutMs,
  type Deadlines,
  maxPlatformConnections,
  responsePauseMs,
  responseTimeoutMs,
} from '../limits/front-limits.ts';
import type { Lane, Place } from '../limits/lane.ts';
import { createPlatformPlaces, type PlacesLoad } from './platform-places.ts';
import { type ExchangeHost, keepUnread, ProxiedExchange } from './proxied-exchange.ts';
import { QuickCalls } from './quick-calls.ts';
import { quickQuestionOf } from './quick-question.ts';
import { bodyOf } from './request-body.ts';
import { UploadBody } from './upload-body.ts';

export interface PlatformProxy {
  /** Forwards the request. `pathname` is the path without the query. Responds with 502 when the control plane is unavailable. */
  forward(request: IncomingMessage, response: ServerResponse, pathname: string): void;
  /** Resources in use; all zero without open requests. */
  load(): PlacesLoad & { readonly bodyBytes: number };
  close(): Promise<void>;
}

export interface PlatformProxyOptions {
  readonly platform: PlatformAddress;
  readonly callbackSecret: string;
  readonly forwarded: ForwardedResolver;
  readonly files: Pick<FileSender, 'sendDataFile'>;
  readonly deadlines: Deadlines;
  readonly log: Logger;
}

interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly pathname: string;
  readonly from: Forwarded;
  readonly key: string;
}

/** Headers of a response to a quick call. The control plane sends equal headers for normal calls (`sendSuccess`). */
const quickAnswerHeaders = [
  'content-type',
  'application/json; charset=utf-8',
  'cache-control',
  'no-store',
  'content-length',
];

type Body = Buffer | UploadBody | null;

export async function createPlatformProxy(options: PlatformProxyOptions): Promise<PlatformProxy> {
  const { platform } = options;
  const pool = await createPool(platform);
  return new PooledPlatformProxy(options, pool);
}

class PooledPlatformProxy implements PlatformProxy {
  readonly #options: PlatformProxyOptions;
  readonly #pool: Awaited<ReturnType<typeof createPool>>;
  readonly #places = createPlatformPlaces();
  readonly #memory = new BodyMemory(bodyMemory);
  readonly #quick: QuickCalls;
  #quietUntil = 0;
  readonly #onAway = (error: Error): void => {
    if (performance.now() < this.#quietUntil) return;
    this.#quietUntil = performance.now() + awayLogIntervalMs;
    this.#options.log.warn({ reason: error.message }, 'the control plane did not respond');
  };

  constructor(options: PlatformProxyOptions, pool: Awaited<ReturnType<typeof createPool>>) {
    this.#options = options;
    this.#pool = pool;
    this.#quick = new QuickCalls({ platform: options.platform, secret: options.callbackSecret });
  }

  forward(request: IncomingMessage, response: ServerResponse, pathname: string): void {
    const from = this.#options.forwarded(request);
    const incoming = { request, response, pathname, from, key: addressKey(from.for) };
    const body = bodyOf(request, pathname);
    if (body.kind === 'none') this.#enter(incoming, this.#places.calls, (host) => this.#sendCall(incoming, host, null));
    else if (body.kind === 'call') this.#collect(incoming);
    else if (body.kind === 'upload') {
      const begin = (host: ExchangeHost): void =>
        this.#dispatch(incoming, host, new UploadBody(request, this.#options.deadlines.uploadStallMs), body.sizeBytes);
      this.#enter(incoming, this.#places.uploads, begin);
    } else {
      sendFailure(response, 'bodyTooLarge');
      discardRest(request);
    }
  }

  load(): PlacesLoad & { readonly bodyBytes: number } {
    return { ...this.#places.load(), bodyBytes: this.#memory.total };
  }

  close(): Promise<void> {
    this.#quick.close();
    return this.#pool.destroy();
  }

  #hostOf({ request, response, pathname, key }: Incoming, place: Place): ExchangeHost {
    return {
      stallMs: this.#options.deadlines.readerStallMs,
      takesFiles: mayNameFile(request, pathname),
      onAway: this.#onAway,
      sendFile: (status, headers, file) => {
        this.#options.files.sendDataFile(request, response, { status, headers, ...file }).catch((error: unknown) => {
          this.#options.log.error({ err: error, path: pathname }, 'a file could not be sent to a client');
          response.destroy();
        });
      },
      ...this.#places.ofAnswer(key, place),
    };
  }

  #sendCall(incoming: Incoming, host: ExchangeHost, body: Buffer | null): void {
    const question = quickQuestionOf(incoming.request, incoming.pathname, body);
    const inFull = () => this.#dispatch(incoming, host, body);
    const onAnswer = (json?: string) => (json === undefined ? inFull() : answerQuickly(incoming.response, host, json));
    if (!question || !this.#quick.call(question, onAnswer)) inFull();
  }

  #dispatch(incoming: Incoming, host: ExchangeHost, body: Body, sizeBytes?: number): void {
    const { request, response, from } = incoming;
    const headers = toPlatformHeaders(request.rawHeaders, from, request.headers.connection);
    if (host.takesFiles) headers.push(fileOfferHeader, '1');
    if (sizeBytes !== undefined) headers.push('Content-Length', String(sizeBytes));
    const method = request.method ?? 'GET';
    try {
      this.#pool.dispatch(
        { method, path: toOriginForm(request.url ?? '/'), headers, body: body as Buffer | null },
        new ProxiedExchange(request, response, host),
      );
    } catch (error) {
      this.#options.log.debug({ err: error }, 'request cannot be forwarded to the control plane');
      host.onFree();
      sendText(response, 400, 'The request is not valid.');
    }
  }

  /** Sends the request to the control plane when a place is free. A client that disconnects or waits too long leaves the queue. */
  #enter(incoming: Incoming, lane: Lane, send: (host: ExchangeHost) => void): void {
    const { request, response } = incoming;
    let hasBegun = false;
    const place = lane.enter(incoming.key, (begun) => {
      hasBegun = true;
      if (response.destroyed) begun.leave();
      else send(this.#hostOf(incoming, begun));
    });
    if (!place) refuseBusy(request, response);
    if (!place || hasBegun) return;
    const giveUp = (): void => {
      clearTimeout(timer);
      if (hasBegun) return;
      place.leave();
      if (!response.destroyed) refuseBusy(request, response);
    };
    const timer = setTimeout(giveUp, callWaitMs);
    response.once('close', giveUp);
  }

  #collect(incoming: Incoming): void {
    const { request, response, key } = incoming;
    const release = collectCallBody(request, {
      memory: this.#memory,
      key,
      timeoutMs: this.#options.deadlines.bodyMs,
      onComplete: (bytes) => this.#enter(incoming, this.#places.calls, (host) => this.#sendCall(incoming, host, bytes)),
      onRefused: (why) => {
        sendFailure(response, why);
        discardRest(request);
      },
    });
    response.once('close', release);
  }
}

/** Whether the response may name a file. A media server must not name files, so responses that the control plane forwards are excluded. */
function mayNameFile({ method }: IncomingMessage, pathname: string): boolean {
  return method === 'GET' && pathname.startsWith('/terraform/');
}

function answerQuickly(response: ServerResponse, host: ExchangeHost, json: string): void {
  host.onFree();
  if (response.destroyed) return;
  const length = String(Buffer.byteLength(json));
  response.writeHead(200, [...quickAnswerHeaders, length, ...commonHeaderList]);
  response.end(json);
  keepUnread(response, host);
}

function refuseBusy(request: IncomingMessage, response: ServerResponse): void {
  sendFailure(response, 'serverBusy');
  discardRest(request);
}

async function createPool(platform: PlatformAddress): Promise<Pool> {
  const { default: PoolClass } = await import('undici/lib/dispatcher/pool.js');
  const isSocket = 'socketPath' in platform;
  const origin = isSocket ? 'http://platform' : `http://${platform.host}:${platform.port}`;
  return new PoolClass(origin, {
    connections: maxPlatformConnections,
    pipelining: 1,
    headersTimeout: responseTimeoutMs,
    bodyTimeout: responsePauseMs,
    connectTimeout: connectTimeoutMs,
    ...(isSocket ? { socketPath: platform.socketPath } : {}),
  });
}

/** Converts the absolute form that clients of proxies use: `http://host/path` becomes `/path`. */
function toOriginForm(target: string): string {
  if (target.startsWith('/')) return target;
  const url = URL.parse(target);
  return url ? url.pathname + url.search : target;
}
