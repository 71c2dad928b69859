// Runs an SRT caller over UDP, with its socket and timer. `SrtCaller` implements the protocol.
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { CloseReason } from '../connection/connection-options.ts';
import type { SrtConnectionStats } from '../connection/connection-stats.ts';
import type { SrtConnection } from '../connection/srt-connection.ts';
import type { SrtOptions } from '../handshake/handshake-options.ts';
import { SrtCaller } from '../handshake/srt-caller.ts';
import { monotonicUs } from './srt-listener.ts';

/** Maximum pause between two calls of `advance`, milliseconds: the ACK interval. */
const maxSleepMs = 10;
/** Minimum delay of a call of `advance` that shows that the process was busy, milliseconds. */
const heldUpMs = 100;
/** Time for reading acknowledgements after a late call, milliseconds. Packets are dropped as too late only afterwards. */
const graceMs = 30;

export interface SrtCallOptions extends SrtOptions {
  /** Numeric address. */
  readonly address: string;
  readonly port: number;
  readonly streamId: string;
}

export interface SrtCallEvents {
  onConnected(): void;
  /** Last event. `code`: rejection code; 0 without a response, and for a listener without the required features. */
  onFailed(code: number): void;
  /** Last event. The socket failed, e.g. because no process listens on the port. */
  onError(error: Error): void;
  onPayload?(payload: Buffer): void;
  onLoss?(packets: number): void;
  onClosed(reason: CloseReason): void;
}

/** Connects immediately. The socket is released by `close`, or before the last event. */
export class SrtCall {
  readonly #socket: Socket;
  readonly #caller: SrtCaller;
  #connection: SrtConnection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReady = false;
  #isWoken = false;
  #dueMs = Number.POSITIVE_INFINITY;
  #graceUntilMs: number | undefined;
  #isClosed = false;
  #unsent: Buffer[] = [];

  constructor({ address, port, streamId, ...options }: SrtCallOptions, events: SrtCallEvents) {
    this.#socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    this.#socket.on('error', (error) => this.#finish(() => events.onError(error)));
    this.#socket.on('message', (datagram) => this.#run(() => this.#caller.handleDatagram(datagram, monotonicUs())));
    // Only a connected socket reports that no process listens on the port.
    this.#socket.connect(port, address, () => {
      this.#isReady = true;
      for (const datagram of this.#unsent.splice(0)) this.#transmit(datagram);
    });
    this.#caller = new SrtCaller(
      options,
      streamId,
      {
        transmit: (datagram) => this.#transmit(datagram),
        onPayload: (payload) => events.onPayload?.(payload),
        onLoss: (packets) => events.onLoss?.(packets),
        onConnected: (connection) => {
          this.#connection = connection;
          events.onConnected();
        },
        onFailed: (code) => this.#finish(() => events.onFailed(code)),
        onClosed: (reason) => this.#finish(() => events.onClosed(reason)),
      },
      monotonicUs(),
    );
    this.#wake();
  }

  /** Sends a payload of at most 1456 bytes. Returns false for a dropped payload: the peer is not connected, or the send buffer is full. */
  send(payload: Buffer): boolean {
    const isTaken = this.#connection?.send(payload, monotonicUs()) ?? false;
    // Several payloads of one frame cause only one call of `advance`.
    if (isTaken && !this.#isWoken) {
      this.#isWoken = true;
      setImmediate(() => {
        this.#isWoken = false;
        this.#wake();
      });
    }
    return isTaken;
  }

  get waitingPackets(): number {
    return this.#connection?.waitingPackets ?? 0;
  }

  get flightPackets(): number {
    return this.#connection?.flightPackets ?? 0;
  }

  get acknowledgedPackets(): number {
    return this.#connection?.acknowledgedPackets ?? 0;
  }

  get droppedPackets(): number {
    return this.#connection?.droppedPackets ?? 0;
  }

  discardAll(): void {
    this.#connection?.discardAll(monotonicUs());
  }

  stats(): SrtConnectionStats | undefined {
    return this.#connection?.stats(monotonicUs());
  }

  /** Sends a shutdown to the peer and releases the socket. No event follows. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#connection?.close(monotonicUs());
    this.#release();
  }

  #transmit(datagram: Buffer): void {
    // The socket also emits errors of `send` as events, so the callback ignores them.
    if (this.#isReady) this.#socket.send(datagram, () => undefined);
    else if (!this.#isClosed) this.#unsent.push(datagram);
  }

  #run(work: () => void): void {
    if (this.#isClosed) return;
    work();
    this.#wake();
  }

  #wake(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#waitsForPeer()) return;
    const nowUs = monotonicUs();
    const nextUs = this.#caller.advance(nowUs);
    this.#dueMs = Number.POSITIVE_INFINITY;
    if (this.#isClosed || nextUs === Number.POSITIVE_INFINITY) return;
    const sleepMs = Math.min(Math.max((nextUs - nowUs) / 1000, 1), maxSleepMs);
    this.#dueMs = performance.now() + sleepMs;
    this.#timer = setTimeout(() => this.#wake(), sleepMs);
  }

  #waitsForPeer(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#dueMs > heldUpMs) this.#graceUntilMs ??= nowMs + graceMs;
    const leftMs = (this.#graceUntilMs ?? 0) - nowMs;
    if (leftMs > 0) this.#timer = setTimeout(() => this.#wake(), leftMs);
    else this.#graceUntilMs = undefined;
    return leftMs > 0;
  }

  #finish(notify: () => void): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#release();
    notify();
  }

  #release(): void {
    clearTimeout(this.#timer);
    // The last datagrams are sent at the end of the current turn of the event loop.
    setImmediate(() => this.#socket.close());
  }
}
