// Reverse proxy to the control plane over kept connections (measured in docs/decisions/reverse-proxy.md).
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Pool } from 'undici';
import { maxJsonBodyBytes } from '../contract-subset.ts';
import type { PlatformAddress } from '../listen-address.ts';
import type { Logger } from '../logger.ts';
import { sendFailure, sendText } from './failure-response.ts';
import type { ForwardedResolver } from './forwarded.ts';
import {
  answerPauseMs,
  answerTimeoutMs,
  awayLogIntervalMs,
  connectTimeoutMs,
  maxPlatformConnections,
} from './front-limits.ts';
import { ProxiedExchange } from './proxied-exchange.ts';
import { toPlatformHeaders } from './proxy-headers.ts';
import { bodyOf, discardRest, readWhole, streamBody } from './request-body.ts';
import { UploadBody } from './upload-body.ts';

export interface PlatformProxy {
  /** Passes the request on; `pathname` is its path without the query. Answers 502 when the control plane is away. */
  forward(request: IncomingMessage, response: ServerResponse, pathname: string): void;
  close(): Promise<void>;
}

export interface PlatformProxyOptions {
  readonly platform: PlatformAddress;
  readonly forwarded: ForwardedResolver;
  readonly log: Logger;
}

type Body = Buffer | AsyncIterable<Buffer> | UploadBody | null;

export async function createPlatformProxy({ platform, forwarded, log }: PlatformProxyOptions): Promise<PlatformProxy> {
  const pool = await createPool(platform);
  let quietUntil = 0;
  const onAway = (error: Error): void => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + awayLogIntervalMs;
    log.warn({ reason: error.message }, 'the control plane gave no answer');
  };

  const dispatch = (request: IncomingMessage, response: ServerResponse, body: Body, sizeBytes?: number): void => {
    const headers = toPlatformHeaders(request.rawHeaders, forwarded(request), request.headers.connection);
    if (sizeBytes !== undefined) headers.push('Content-Length', String(sizeBytes));
    const method = request.method ?? 'GET';
    const exchange = new ProxiedExchange(request, response, onAway);
    try {
      pool.dispatch({ method, path: toOriginForm(request.url ?? '/'), headers, body: body as Buffer | null }, exchange);
    } catch (error) {
      log.debug({ err: error }, 'request cannot be passed on');
      sendText(response, 400, 'The request is not valid.');
    }
  };

  return {
    forward(request, response, pathname) {
      const body = bodyOf(request, pathname);
      if (body.kind === 'none') dispatch(request, response, null);
      else if (body.kind === 'whole') readWhole(request, (bytes) => dispatch(request, response, bytes));
      else if (body.kind === 'stream') {
        dispatch(request, response, streamBody(request, maxJsonBodyBytes), body.sizeBytes);
      } else if (body.kind === 'upload') {
        dispatch(request, response, new UploadBody(request), body.sizeBytes);
      } else {
        sendFailure(response, 'bodyTooLarge');
        discardRest(request);
      }
    },
    close: () => pool.destroy(),
  };
}

async function createPool(platform: PlatformAddress): Promise<Pool> {
  const { default: PoolClass } = await import('undici/lib/dispatcher/pool.js');
  const isSocket = 'socketPath' in platform;
  const origin = isSocket ? 'http://platform' : `http://${platform.host}:${platform.port}`;
  return new PoolClass(origin, {
    connections: maxPlatformConnections,
    pipelining: 1,
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerPauseMs,
    connectTimeout: connectTimeoutMs,
    ...(isSocket ? { socketPath: platform.socketPath } : {}),
  });
}

/** `http://host/path` (sent to proxies) becomes `/path`. */
function toOriginForm(target: string): string {
  if (target.startsWith('/')) return target;
  const url = URL.parse(target);
  return url ? url.pathname + url.search : target;
}
