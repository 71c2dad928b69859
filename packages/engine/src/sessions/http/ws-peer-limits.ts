// Limits what a player sends on its WebSocket. Sends one pong at a time, only for the newest pending ping (RFC 6455 §5.5.3), and
// disconnects a player that floods.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** Bytes that a player may send in a burst: about a thousand pings. */
const burstBytes = 64 * 1024;
/** Bytes per second in the long run: forty pings of the longest kind. */
const bytesPerSecond = 4 * 1024;
/** Policy violation (RFC 6455 §7.4.1). */
const policyViolation = 1008;

/** `clock`: monotonic milliseconds. */
export function limitPeer(webSocket: WebSocket, socket: Duplex, clock: () => number = () => performance.now()): void {
  respondToPings(webSocket);
  let allowedBytes = burstBytes;
  let countedMs = clock();
  socket.on('data', (data: Buffer) => {
    const now = clock();
    allowedBytes = Math.min(burstBytes, allowedBytes + ((now - countedMs) / 1000) * bytesPerSecond) - data.length;
    countedMs = now;
    if (allowedBytes >= 0) return;
    webSocket.close(policyViolation);
    webSocket.terminate();
  });
}

function respondToPings(webSocket: WebSocket): void {
  let isSending = false;
  let newest: Buffer | undefined;
  const sendPong = (data: Buffer): void => {
    isSending = true;
    webSocket.pong(data, false, () => {
      isSending = false;
      const waiting = newest;
      newest = undefined;
      if (waiting && webSocket.readyState === webSocket.OPEN) sendPong(waiting);
    });
  };
  webSocket.on('ping', (data: Buffer) => {
    if (isSending) newest = data;
    else sendPong(data);
  });
}
