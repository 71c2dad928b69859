// Takes over the connection of an HTTP response. The HTTP server still reads the socket, so it detects a disconnect; later requests wait
// for a response that never ends.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The response must not have been started. Undefined when the peer has already disconnected. */
export function takeSocket(response: ServerResponse): Socket | undefined {
  const { socket } = response;
  if (!socket || socket.destroyed) return undefined;
  socket.setTimeout(0);
  socket.setNoDelay(true);
  return socket;
}
