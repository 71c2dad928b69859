// Stands where the embedded engine would when MEDIA_SERVER=srs: media paths and WebRTC signalling of the public front go
// to the SRS beside this product, everything else about streams is between the SRS and the control plane.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Engine } from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';
import { type BackendProxy, createBackendProxy } from './front/backends/backend-proxy.ts';
import { sendText } from './front/http/failure-response.ts';
import type { ForwardedResolver } from './front/http/forwarded.ts';
import { toBackendHeaders, toClientHeaders } from './front/http/proxy-headers.ts';
import { createPublishedStreams } from './srs-published.ts';
import { createSrsSignalling } from './srs-signalling.ts';

export interface SrsAddresses {
  /** `host:port` of its HTTP API, which also answers WHIP and WHEP. */
  readonly api: { readonly host: string; readonly port: number };
  /** `host:port` of its HTTP server: FLV, HLS. */
  readonly http: { readonly host: string; readonly port: number };
  /** Its media ports on this machine; null where it has none. */
  readonly ports: { readonly rtmp: number; readonly srt: number | null; readonly rtc: number | null };
}

export interface SrsRelay {
  readonly engine: Engine;
  /** Passes a call of its HTTP API on, e.g. `/api/v1/versions`. */
  readonly forwardCall: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface SrsRelayOptions {
  readonly forwarded: ForwardedResolver;
  /** From the head of a WebRTC call to the end of its body, milliseconds. */
  readonly bodyMs: number;
  readonly log: Logger;
}

/** Endless answers, which an SRS only begins when somebody publishes; what it cuts into files it answers itself. */
const livePath = /^\/(.+\/[^/]+)\.(?:flv|ts|aac|mp3)$/;
const segmentPath = /-\d+-\d{13}\.ts$/;

export function createSrsRelay(srs: SrsAddresses, options: SrsRelayOptions): SrsRelay {
  const { forwarded, bodyMs, log } = options;
  // Every viewer is one connection; the operator named these addresses in the environment of the server.
  const backends = createBackendProxy({ ownPorts: () => new Set(), isLimited: false, forwarded, log });
  const api = new URL(`http://${bracketed(srs.api.host)}:${srs.api.port}`);
  const http = new URL(`http://${bracketed(srs.http.host)}:${srs.http.port}`);
  const relay = (origin: URL) => (request: IncomingMessage, response: ServerResponse) =>
    pass(backends, origin, forwarded, request, response);
  const toApi = relay(api);
  const toHttp = relay(http);
  const signal = createSrsSignalling({ api, forwarded, bodyMs, log });
  const published = createPublishedStreams(api);
  const play = async (request: IncomingMessage, response: ServerResponse, live: string) => {
    if (await published.has(live)) toHttp(request, response);
    else sendText(response, 404, 'Nobody publishes this stream.');
  };
  const { rtmp, srt, rtc } = srs.ports;
  return {
    forwardCall: toApi,
    engine: {
      start: async () => ({
        rtmpPort: rtmp,
        ...(srt !== null && { srtPort: srt }),
        ...(rtc !== null && { rtcPort: rtc }),
      }),
      close: async () => backends.close(),
      handleRequest(request, response) {
        const live = liveStreamOf(request.url ?? '');
        if (request.url?.startsWith('/rtc/')) signal(request, response);
        else if (live === undefined) toHttp(request, response);
        else {
          play(request, response, live).catch((error: unknown) => {
            log.error({ err: error }, 'a viewer was not passed on');
            response.destroy();
          });
        }
        return true;
      },
      // SRS has no WebSocket output.
      handleUpgrade: () => false,
      streams: () => [],
      clients: () => [],
      kick: () => false,
      refusals: () => [],
      findCorruption: () => undefined,
      reconfigure: async () => undefined,
      totals: () => ({ receivedBytes: 0, sentBytes: 0, connections: 0 }),
    } satisfies Partial<Engine> as unknown as Engine,
  };
}

/** `app/stream` of a live path; undefined for any other. */
function liveStreamOf(url: string): string | undefined {
  const pathname = URL.parse(url, 'http://localhost')?.pathname ?? '';
  if (segmentPath.test(pathname)) return undefined;
  const path = livePath.exec(pathname)?.[1];
  try {
    return path && decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function pass(
  backends: BackendProxy,
  origin: URL,
  forwarded: ForwardedResolver,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const facts = { parsed: request.headers, host: undefined, upgrade: undefined };
  backends.forward(request, response, {
    origin,
    path: request.url ?? '/',
    headers: toBackendHeaders(request.rawHeaders, forwarded(request), facts),
    answerHeaders: (answer) => toClientHeaders(answer.headers),
  });
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
