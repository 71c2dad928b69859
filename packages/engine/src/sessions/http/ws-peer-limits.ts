// Limits what a player sends on its WebSocket. Answers only the newest ping, with one pong at a time (RFC 6455 §5.5.3). Disconnects a
// player that sends too much.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** Maximum bytes of a burst from a player: about a thousand pings. */
const burstBytes = 64 * 1024;
/** Mean limit, bytes per second: thirty pings of maximum length. */
const bytesPerSecond = 4 * 1024;
/** Policy violation (RFC 6455 §7.4.1). */
const policyViolation = 1008;

/** @param clock monotonic milliseconds. */
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
