// A request for HLS with its response and the viewer's data, as passed between the modules of this folder.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import type { WithClientAddress } from '../http/play-session.ts';
import type { SegmentCaching } from './hls-responses.ts';
import type { HlsSession } from './hls-sessions.ts';
import type { Viewer } from './low-latency-front.ts';

export interface Exchange {
  readonly request: IncomingMessage & WithClientAddress;
  readonly response: ServerResponse;
}

export interface AuthorizedExchange extends Exchange {
  /** The query that authorizes segments; '' if access is open. */
  readonly carry: string;
}

export interface SessionExchange extends AuthorizedExchange {
  /** Undefined if session contexts are off, or the session id of a file request is unknown. */
  readonly session: HlsSession | undefined;
}

export function addressOf(request: IncomingMessage & WithClientAddress): string {
  return plainAddress(request.clientAddress ?? request.socket.remoteAddress ?? '');
}

export function cachedBy(carry: string): SegmentCaching {
  return carry === '' ? 'public' : 'private';
}

export function toViewer({ request, session, carry }: SessionExchange, query = ''): Viewer {
  return {
    ip: addressOf(request),
    session: session?.context,
    query,
    isOwn: session !== undefined,
    caching: cachedBy(carry),
    isKicked: () => session?.isKicked ?? false,
  };
}

export const sessionEnded = {
  status: 404,
  name: 'session-ended',
  message: 'this viewer was disconnected by the server',
} as const;
