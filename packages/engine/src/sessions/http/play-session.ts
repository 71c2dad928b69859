// Session info of a player's HTTP request.

import type { IncomingMessage } from 'node:http';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import { type ClientType, type SessionInfo, userAgentOf } from '../../session-info.ts';
import { randomId } from '../../util/random-id.ts';
import type { MediaPath } from './media-path.ts';

/** Length of a client id, characters, as in SRS. */
const clientIdLength = 8;

/** A server behind a trusted proxy sets this property on the request. */
export interface WithClientAddress {
  readonly clientAddress?: string;
}

export function toPlaySession(
  type: ClientType,
  path: MediaPath,
  request: IncomingMessage & WithClientAddress,
): SessionInfo {
  const { vhost, app, stream, query } = path;
  const scheme = 'encrypted' in request.socket ? 'https' : 'http';
  return {
    vhost,
    app,
    stream,
    clientId: randomId(clientIdLength),
    type,
    ip: plainAddress(request.clientAddress ?? request.socket.remoteAddress ?? ''),
    param: query,
    tcUrl: `${scheme}://${request.headers.host ?? ''}/${app}`,
    pageUrl: request.headers.referer ?? '',
    ...userAgentOf(request.headers['user-agent']),
  };
}
