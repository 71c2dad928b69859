// Connects a WebSocket to a backend: sends the upgrade request, and joins both connections when the backend accepts. After that, both
// connections end together.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { closeWithStatus } from '../http/failure-response.ts';
import { backendResponseMs, webSocketKeepAliveMs } from '../limits/front-limits.ts';

export interface ProtocolSwitch {
  readonly socket: Duplex;
  /** Bytes that the client has sent after its request. */
  readonly head: Buffer;
  /** Starts the request to the backend; may throw. Undefined when the limit is reached. */
  readonly open: (() => ClientRequest) | undefined;
  readonly onAway: (error: Error) => void;
}

export function switchProtocols({ socket, head, open, onAway }: ProtocolSwitch): void {
  if (!open) {
    closeWithStatus(socket, 503);
    return;
  }
  let outgoing: ClientRequest;
  try {
    outgoing = open();
  } catch {
    closeWithStatus(socket, 502);
    return;
  }
  outgoing.setTimeout(backendResponseMs, () => outgoing.destroy(new Error('the backend did not respond in time')));
  outgoing.once('error', (error) => {
    if (!socket.destroyed) onAway(error);
    closeWithStatus(socket, 502);
  });
  // The backend refused the upgrade. The backend's response is not forwarded.
  outgoing.once('response', () => {
    closeWithStatus(socket, 502);
    outgoing.destroy();
  });
  outgoing.once('upgrade', (response, backend: Duplex, backendHead) => {
    backend.on('error', () => socket.destroy());
    if (response.headers.upgrade?.toLowerCase() !== 'websocket' || socket.destroyed) {
      backend.destroy();
      closeWithStatus(socket, 502);
      return;
    }
    for (const each of [socket, backend]) if (each instanceof Socket) keepWatch(each);
    socket.write(rawHead(response), 'latin1');
    if (backendHead.length > 0) socket.write(backendHead);
    if (head.length > 0) backend.write(head);
    join(backend, socket);
    join(socket, backend);
  });
  socket.once('close', () => outgoing.destroy());
  outgoing.end();
}

/** Pipes one connection into the other. `pipeline` in both directions would cause Node's warning of a listener leak. */
function join(from: Duplex, to: Duplex): void {
  from.pipe(to);
  from.once('close', () => {
    if (from.readableEnded) to.end(() => to.destroy());
    else to.destroy();
  });
}

/** Removes the timeout. TCP keep-alive detects a disconnected peer. */
function keepWatch(socket: Socket): void {
  socket.setTimeout(0);
  socket.setKeepAlive(true, webSocketKeepAliveMs);
}

/** The head of the backend's upgrade response, unchanged, because its headers are meant for the client. */
function rawHead(response: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${response.statusCode} ${response.statusMessage}`];
  for (let at = 0; at + 1 < response.rawHeaders.length; at += 2) {
    lines.push(`${response.rawHeaders[at]}: ${response.rawHeaders[at + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
