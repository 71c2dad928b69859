// Replaces the embedded engine when MEDIA_SERVER=srs. Forwards media paths and WebRTC signalling of the public front to the SRS servers.
// SRS and the control plane handle everything else about streams.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Engine, HlsConfig } from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';
import { type BackendProxy, createBackendProxy } from './front/backends/backend-proxy.ts';
import { sendText } from './front/http/failure-response.ts';
import type { ForwardedResolver } from './front/http/forwarded.ts';
import { toBackendHeaders, toClientHeaders } from './front/http/proxy-headers.ts';
import { responseHeadersOf } from './front/http/response-headers.ts';
import { SettingsFileWatch } from './settings-file-watch.ts';
import { parseHlsConfig } from './srs-config/hls-config.ts';
import { createPublishedStreams } from './srs-published.ts';
import { createSrsSignalling } from './srs-signalling.ts';

export interface SrsAddresses {
  /** Addresses of the SRS servers, at least one. Viewers get a stream from the first server that has the stream. */
  readonly servers: readonly SrsServerAddresses[];
  /** Media ports for display; null when a protocol is off. */
  readonly ports: { readonly rtmp: number; readonly srt: number | null; readonly rtc: number | null };
}

interface SrsServerAddresses {
  /** `host:port` of the server's HTTP API, which also serves WHIP and WHEP. */
  readonly api: { readonly host: string; readonly port: number };
  /** `host:port` of the server for HTTP-FLV and HLS. */
  readonly http: { readonly host: string; readonly port: number };
}

export interface SrsRelay {
  readonly engine: Engine;
  /** Forwards a call of the SRS HTTP API, e.g. `/api/v1/versions`. */
  readonly forwardCall: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface SrsRelayOptions {
  readonly forwarded: ForwardedResolver;
  /** File with HLS settings, which the control plane writes for SRS. */
  readonly hls: { readonly file: string; readonly defaults: HlsConfig };
  /** Timeout for the body of a WebRTC call, milliseconds. */
  readonly bodyMs: number;
  readonly log: Logger;
}

/** Endless responses. SRS starts an endless response only when the stream is published; for files, SRS responds immediately. */
const livePath = /^\/(.+\/[^/]+)\.(?:flv|ts|aac|mp3)$/;
const segmentPath = /-\d+-\d{13}\.ts$/;
const playlistPath = /\.m3u8(?:\?|$)/;
/** Playlists and segments of a stream. */
const hlsPath = /^\/(.+\/[^/]+?)(?:-\d+-\d{13}\.ts|\.m3u8)$/;

/** An engine without streams. */
const withoutStreams = {
  // SRS has no WebSocket output.
  handleUpgrade: () => false,
  streams: () => [],
  clients: () => [],
  isPublished: () => false,
  kick: () => false,
  refusals: () => [],
  configurePushes: () => undefined,
  configurePulls: () => undefined,
  configureChannels: () => undefined,
  configureSlates: async () => undefined,
  pushes: () => [],
  startPushTest: () => false,
  pushTest: () => undefined,
  pulls: () => [],
  channels: () => [],
  findCorruption: () => undefined,
  warmUp: async () => undefined,
  reconfigure: async () => undefined,
  configureRewind: () => undefined,
  setCertificate: () => undefined,
  totals: () => ({ receivedBytes: 0, sentBytes: 0, connections: 0 }),
} satisfies Partial<Engine>;

export function createSrsRelay(srs: SrsAddresses, options: SrsRelayOptions): SrsRelay {
  const { forwarded, bodyMs, log } = options;
  const hlsSettings = watchHls(options);
  // Not limited, because every viewer needs a connection. Ports of this machine are allowed, because the operator set the addresses in
  // environment variables.
  const backends = createBackendProxy({ ownPorts: () => new Set(), isLimited: false, forwarded, log });
  const apis = srs.servers.map(({ api }) => urlOf(api));
  const https = srs.servers.map(({ http }) => urlOf(http));
  const published = createPublishedStreams(apis);
  const relay = (origins: readonly URL[], index: number, request: IncomingMessage, response: ServerResponse) =>
    pass(backends, origins[index] ?? origins[0]!, forwarded, request, response);
  const failed = (response: ServerResponse) => (error: unknown) => notPassedOn(response, error, log);
  const apiFor = async (path: string | undefined) => apis[await published.serverFor(path)]!;
  const signal = createSrsSignalling({ apiFor, forwarded, bodyMs, log });
  const play = async (request: IncomingMessage, response: ServerResponse, live: string) => {
    const server = await published.serverOf(live);
    if (server !== undefined) relay(https, server, request, response);
    else sendText(response, 404, 'This stream is not published.');
  };
  return {
    forwardCall: (request, response) => {
      published
        .serverFor(undefined)
        .then((server) => relay(apis, server, request, response))
        .catch(failed(response));
    },
    engine: {
      start: () => hlsSettings.start().then(() => toBoundPorts(srs.ports)),
      async close() {
        hlsSettings.close();
        backends.close();
      },
      handleRequest(request, response) {
        const { live, hls } = streamOf(request.url ?? '');
        if (request.url?.startsWith('/rtc/')) signal(request, response);
        else if (live !== undefined) play(request, response, live).catch(failed(response));
        // SRS 7 still serves the last playlist when HLS is off.
        else if (!hlsSettings.current() && playlistPath.test(request.url ?? ''))
          sendText(response, 404, 'HLS is switched off.');
        else {
          published
            .serverFor(hls)
            .then((server) => relay(https, server, request, response))
            .catch(failed(response));
        }
        return true;
      },
      ...withoutStreams,
    } satisfies Partial<Engine> as unknown as Engine,
  };
}

function toBoundPorts({ rtmp, srt, rtc }: SrsAddresses['ports']): Awaited<ReturnType<Engine['start']>> {
  return { rtmpPort: rtmp, ...(srt !== null && { srtPort: srt }), ...(rtc !== null && { rtcPort: rtc }) };
}

function watchHls({ hls: { file, defaults }, log }: SrsRelayOptions): SettingsFileWatch<boolean> {
  const parse = (text: string): boolean => parseHlsConfig(text, defaults).config.enabled;
  return new SettingsFileWatch({ file, initial: defaults.enabled, parse, log });
}

/** `app/stream` of a path: `live` for an endless response, `hls` for an HLS file. Both are undefined for any other path. */
function streamOf(url: string): { live?: string | undefined; hls?: string | undefined } {
  const pathname = URL.parse(url, 'http://localhost')?.pathname ?? '';
  const decoded = (path: string | undefined) => {
    try {
      return path && decodeURIComponent(path);
    } catch {
      return undefined;
    }
  };
  const isLive = livePath.test(pathname) && !segmentPath.test(pathname);
  return isLive ? { live: decoded(livePath.exec(pathname)?.[1]) } : { hls: decoded(hlsPath.exec(pathname)?.[1]) };
}

function urlOf({ host, port }: { host: string; port: number }): URL {
  return new URL(`http://${bracketed(host)}:${port}`);
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
    responseHeaders: (answer) => toClientHeaders(answer.headers, responseHeadersOf(request)),
  });
}

function notPassedOn(response: ServerResponse, error: unknown, log: Logger): void {
  log.error({ err: error }, 'request of a viewer was not forwarded');
  response.destroy();
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
