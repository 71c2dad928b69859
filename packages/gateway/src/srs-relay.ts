// Stands where the embedded engine would when MEDIA_SERVER=srs: media paths and WebRTC signalling of the public front go
// to the SRS beside this product, everything else about streams is between the SRS and the control plane.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Engine } from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';
import { type BackendProxy, createBackendProxy } from './front/backend-proxy.ts';
import type { ForwardedResolver } from './front/forwarded.ts';
import { toBackendHeaders, toClientHeaders } from './front/proxy-headers.ts';

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
  forwardCall(request: IncomingMessage, response: ServerResponse): void;
}

export function createSrsRelay(srs: SrsAddresses, options: { forwarded: ForwardedResolver; log: Logger }): SrsRelay {
  const { forwarded, log } = options;
  // Every viewer is one connection; the operator named these addresses in the environment of the server.
  const backends = createBackendProxy({ ownPorts: () => new Set(), isLimited: false, forwarded, log });
  const api = new URL(`http://${bracketed(srs.api.host)}:${srs.api.port}`);
  const http = new URL(`http://${bracketed(srs.http.host)}:${srs.http.port}`);
  const relay = (origin: URL) => (request: IncomingMessage, response: ServerResponse) =>
    pass(backends, origin, forwarded, request, response);
  const toApi = relay(api);
  const toHttp = relay(http);
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
        if (request.url?.startsWith('/rtc/')) toApi(request, response);
        else toHttp(request, response);
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
