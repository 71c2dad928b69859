// Media over plain HTTP: `GET /app/stream.flv` (`.ts`, `.aac`, `.mp3`) returns an endless file. After the admission, bytes are written
// directly to the socket. The body ends with the connection (RFC 9112 §6.3), so shared chunks need no framing.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReportFault } from '../../faults.ts';
import type { ClientType } from '../../session-info.ts';
import type { AdmittedPlay } from '../gate/admitted-play.ts';
import { type HeaderList, sendFailure, toFailure, uncached, withOpenHeaders, writeOpenHead } from './http-responses.ts';
import type { HttpViewers } from './http-viewers.ts';
import type { MediaPath } from './media-path.ts';
import { toPlaySession } from './play-session.ts';
import { takeSocket } from './take-socket.ts';

export interface HttpOutput {
  readonly viewers: HttpViewers;
  readonly clientType: ClientType;
  readonly contentType: string;
}

/** Handles a request for `path`, whose extension is that of the output. */
export function handleHttpPlay(
  output: HttpOutput,
  path: MediaPath,
  request: IncomingMessage,
  response: ServerResponse,
  onFault: ReportFault,
): void {
  if (request.method === 'OPTIONS') writeOpenHead(response, 204, uncached).end();
  else if (request.method === 'GET' || request.method === 'HEAD') {
    respond(output, path, request, response).catch((error: unknown) => {
      onFault(
        error,
        { protocol: output.clientType, app: path.app, stream: path.stream },
        'playback failed and was stopped',
      );
      response.destroy();
    });
  } else
    sendFailure(response, {
      status: 405,
      name: 'method-not-allowed',
      message: 'method not allowed: use GET, HEAD or OPTIONS',
    });
}

async function respond(
  { viewers, clientType, contentType }: HttpOutput,
  path: MediaPath,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const admission = await viewers.admit(toPlaySession(clientType, path, request), request.method === 'HEAD');
  const headers = [...uncached, 'Content-Type', contentType];
  if (!admission.ok) sendFailure(response, toFailure(admission));
  else if (request.method === 'HEAD') {
    admission.play.end();
    writeOpenHead(response, 200, headers).end();
  } else start(viewers, admission.play, response, toResponseHead(withOpenHeaders(request, headers)));
}

function start(viewers: HttpViewers, play: AdmittedPlay, response: ServerResponse, head: string): void {
  const socket = takeSocket(response);
  if (!socket) {
    play.end();
    return;
  }
  // Corked, so that one write sends the headers and the GOP.
  socket.cork();
  socket.write(head);
  viewers.play(play, socket, false);
  socket.uncork();
}

function toResponseHead(headers: HeaderList): string {
  const fields = headers.map((word, index) => (index % 2 === 0 ? `${word}: ` : `${word}\r\n`)).join('');
  return `HTTP/1.1 200 OK\r\n${fields}Connection: close\r\n\r\n`;
}
