// Routes every request of the public HTTP and HTTPS servers. Media requests are not proxied through the control plane.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Engine } from '@srs-stack/engine';
import { createHandleShortage, type HandleShortage } from '@srs-stack/process/handle-shortage.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import type { LocationProxy } from './backends/location-proxy.ts';
import { corsHeadersOf, preflightHeadersOf } from './cors.ts';
import { serveChallenge } from './files/acme-challenge.ts';
import type { ConsoleFiles } from './files/console-files.ts';
import { closeWithStatus, redirect, sendFailure, sendHealth, sendText, withQuery } from './http/failure-response.ts';
import type { ForwardedResolver } from './http/forwarded.ts';
import { asSession, nameClient } from './http/media-request.ts';
import { setCommonHeaders } from './http/response-headers.ts';
import type { PlatformProxy } from './platform/platform-proxy.ts';
import { pathnameOf, type Route, routeOf } from './route-table.ts';
import type { PublicFront } from './server/public-server.ts';
import type { ReportCall } from './watch/report-call.ts';
import type { WatchPages } from './watch/watch-pages.ts';
import { acceptPost, type RtcCalls } from './webrtc/rtc-calls.ts';

export interface PublicFrontParts {
  readonly engine: Pick<Engine, 'handleRequest' | 'handleUpgrade'>;
  /** Serves master playlists of renditions. Resolves with false when the engine must handle the request. */
  readonly multivariant: (request: IncomingMessage, response: ServerResponse, ip: string) => Promise<boolean>;
  readonly proxy: PlatformProxy;
  readonly files: ConsoleFiles;
  readonly watchPages: Pick<WatchPages, 'serve'>;
  readonly reports: ReportCall;
  /** Serves `/api/v1/versions` with the response of the control API. */
  readonly answerVersions: (request: IncomingMessage, response: ServerResponse) => void;
  readonly forwarded: ForwardedResolver;
  readonly dataDir: string;
  readonly home: () => string;
  readonly locations: LocationProxy;
  readonly rtc: RtcCalls;
  /** Serves `/readyz`. */
  readonly readiness: (response: ServerResponse) => Promise<void>;
  readonly log: Logger;
}

type Answer = (request: IncomingMessage, response: ServerResponse, pathname: string) => void | Promise<void>;

export function createPublicFront(parts: PublicFrontParts): PublicFront {
  return new MediaAndCallFront(parts);
}

class MediaAndCallFront implements PublicFront {
  readonly #parts: PublicFrontParts;
  readonly #shortage: HandleShortage;
  readonly #responses: Record<Route, Answer>;

  constructor(parts: PublicFrontParts) {
    this.#parts = parts;
    this.#shortage = createHandleShortage(parts.log);
    this.#responses = {
      platform: (request, response, pathname) => parts.proxy.forward(request, response, pathname),
      health: (_request, response) => sendHealth(response, 200, { status: 'ok' }),
      readiness: (_request, response) => parts.readiness(response),
      versions: (request, response) => {
        setCommonHeaders(response);
        parts.answerVersions(request, response);
      },
      rtc: (request, response) => parts.rtc(request, response),
      console: (request, response, pathname) => parts.files.serveConsole(request, response, pathname),
      pages: async (request, response, pathname) => {
        if (!(await parts.files.servePage(request, response, pathname))) sendText(response, 404, 'No such page.');
      },
      reports: (request, response) => parts.reports(request, response),
      watch: (request, response, pathname) => parts.watchPages.serve(request, response, pathname),
      challenge: async (_request, response, pathname) => {
        setCommonHeaders(response);
        await serveChallenge(parts.dataDir, pathname, response);
      },
      home: (request, response, pathname) => {
        if (parts.locations.handle(request, response, pathname)) return;
        const location = pathname === '/' ? withQuery(parts.home(), request.url ?? '') : '/mgmt';
        redirect(response, location.startsWith('/') ? parts.forwarded(request).prefix + location : location);
      },
      media: (request, response, pathname) => {
        this.#prepareMedia(request);
        if (/\/master(\.ll)?\.m3u8$/.test(pathname)) return this.#answerMultivariant(request, response);
        this.#answerMedia(request, response);
      },
    };
  }

  onRequest(request: IncomingMessage, response: ServerResponse): void {
    const pathname = pathnameOf(request.url ?? '');
    if (this.#isPreflightOfLocation(request, response, pathname)) return;
    if (request.method === 'OPTIONS') {
      const headers = [
        ...preflightHeadersOf(request, routeOf(pathname ?? '')),
        ...Object.entries(acceptPost(pathname)).flat(),
      ];
      response.writeHead(200, [...headers, 'Content-Length', '0']);
      response.end();
    } else if (pathname === undefined) {
      sendText(response, 400, 'The request is not valid.');
    } else {
      try {
        const route = routeOf(pathname);
        Object.assign(request, { responseHeaders: corsHeadersOf(request, route) });
        const answer = () => this.#responses[route](request, response, pathname);
        const answered = route === 'media' || route === 'rtc' ? asSession(request, answer) : answer();
        answered?.catch((error: unknown) => this.#onBroken(error, request, response));
      } catch (error) {
        this.#onBroken(error, request, response);
      }
    }
  }

  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const pathname = pathnameOf(request.url ?? '') ?? '';
    socket.on('error', (error) => this.#parts.log.debug({ err: error }, 'upgraded connection failed'));
    try {
      if (!this.#upgrade(request, socket, head, pathname)) closeWithStatus(socket, 404);
    } catch (error) {
      this.#parts.log.error({ err: error, path: pathname }, 'connection upgrade failed');
      socket.destroy();
    }
  }

  addressOf(request: IncomingMessage): string {
    return this.#parts.forwarded(request).for;
  }

  #answerMedia(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#parts.engine.handleRequest(request, response)) sendText(response, 404, 'No such stream.');
  }

  async #answerMultivariant(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { multivariant, forwarded } = this.#parts;
    if (!(await multivariant(request, response, forwarded(request).for))) this.#answerMedia(request, response);
  }

  #prepareMedia(request: IncomingMessage): void {
    nameClient(request, this.#parts.forwarded(request));
  }

  #onBroken(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    const isShortage = this.#shortage.report(error);
    if (!isShortage) this.#parts.log.error({ err: error, path: pathnameOf(request.url ?? '') }, 'HTTP request failed');
    if (response.headersSent) response.destroy();
    else sendFailure(response, isShortage ? 'serverBusy' : 'internal');
  }

  /** Forwards an OPTIONS request for a proxied path, because the backend decides about CORS. Returns false for other requests. */
  #isPreflightOfLocation(request: IncomingMessage, response: ServerResponse, pathname?: string): boolean {
    return (
      request.method === 'OPTIONS' &&
      pathname !== undefined &&
      routeOf(pathname) === 'home' &&
      this.#parts.locations.handle(request, response, pathname)
    );
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, pathname: string): boolean {
    if (routeOf(pathname) === 'media') {
      this.#prepareMedia(request);
      if (asSession(request, () => this.#parts.engine.handleUpgrade(request, socket, head))) return true;
    }
    return routeOf(pathname) === 'home' && this.#parts.locations.handleUpgrade(request, socket, head, pathname);
  }
}
