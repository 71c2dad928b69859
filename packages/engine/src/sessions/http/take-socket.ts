// Takes over the connection of an HTTP response. The HTTP server continues to read the socket, so it detects a disconnect. Later requests
// on the connection get no response.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Call before the response is started. Undefined if the peer has disconnected. */
export function takeSocket(response: ServerResponse): Socket | undefined {
  const { socket } = response;
  if (!socket || socket.destroyed) return undefined;
  socket.setTimeout(0);
  socket.setNoDelay(true);
  return socket;
}
