// The port of the SRS-compatible HTTP API. `forLocalCallers` restricts the calls, except WebRTC signalling and the version. As with
// SRS, an external control plane may forward signalling with the Host and Origin headers of its visitors. Signalling needs no credential,
// because callbacks authorize the streams.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from '@srs-stack/process/logger.ts';
import { corsHeadersOf, preflightHeadersOf } from '../front/cors.ts';
import { closeWithStatus, sendFailure } from '../front/http/failure-response.ts';
import { asSession } from '../front/http/media-request.ts';
import { pathnameOf } from '../front/route-table.ts';
import type { PublicFront } from '../front/server/public-server.ts';
import { acceptPost, type RtcCalls } from '../front/webrtc/rtc-calls.ts';

/** Available to all clients, because this call returns only the version. */
const openCall = '/api/v1/versions';

export interface ControlFrontParts {
  readonly api: RequestListener;
  /** The API, restricted by `forLocalCallers`. */
  readonly localApi: RequestListener;
  readonly rtc: RtcCalls;
  readonly log: Logger;
}

export function createControlFront({ api, localApi, rtc, log }: ControlFrontParts): PublicFront {
  const signal = (request: IncomingMessage, response: ServerResponse, path: string): void => {
    if (request.method === 'OPTIONS') {
      const headers = [...preflightHeadersOf(request, 'rtc'), ...Object.entries(acceptPost(path)).flat()];
      response.writeHead(200, [...headers, 'Content-Length', '0']).end();
      return;
    }
    Object.assign(request, { responseHeaders: corsHeadersOf(request, 'rtc') });
    asSession(request, () => rtc(request, response)).catch((error: unknown) => {
      log.error({ err: error, path }, 'HTTP request failed');
      if (response.headersSent) response.destroy();
      else sendFailure(response, 'internal');
    });
  };
  return {
    onRequest(request, response) {
      const pathname = pathnameOf(request.url ?? '') ?? '';
      if (pathname.startsWith('/rtc/')) signal(request, response, pathname);
      else if (pathname === openCall) api(request, response);
      else localApi(request, response);
    },
    onUpgrade: (_request, socket) => closeWithStatus(socket, 404),
  };
}
