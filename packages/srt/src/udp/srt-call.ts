// Runs one SRT caller over UDP: owns its socket and timer, and passes it the time. `SrtCaller` implements the protocol.
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { CloseReason } from '../connection/connection-options.ts';
import type { SrtConnectionStats } from '../connection/connection-stats.ts';
import type { SrtConnection } from '../connection/srt-connection.ts';
import type { SrtOptions } from '../handshake/handshake-options.ts';
import { SrtCaller } from '../handshake/srt-caller.ts';
import { monotonicUs } from './srt-listener.ts';

/** Longest pause between two calls of `advance`, milliseconds: the ACK interval. */
const maxSleepMs = 10;
/** When `advance` is called this much too late, the process was busy, milliseconds. */
const heldUpMs = 100;
/** After a late call, acknowledgements are read for this long before packets are dropped as too late, milliseconds. */
const graceMs = 30;

export interface SrtCallOptions extends SrtOptions {
  /** Numeric address. */
  readonly address: string;
  readonly port: number;
  /** Empty for none. */
  readonly streamId: string;
}

export interface SrtCallEvents {
  onConnected(): void;
  /** Last event. `code`: rejection code of the listener, 0 when it did not respond. */
  onFailed(code: number): void;
  /** Last event: the socket failed, e.g. because no process listens on the port. */
  onError(error: Error): void;
  /** One payload in order, at its presentation time. */
  onPayload?(payload: Buffer): void;
  /** This number of packets was skipped before the next payload. */
  onLoss?(packets: number): void;
  /** Last event of a connection. */
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
  /** Time of the next call of `advance`, and the end of `graceMs` after a late call, milliseconds. */
  #dueMs = Number.POSITIVE_INFINITY;
  #graceUntilMs: number | undefined;
  #isClosed = false;
  #unsent: Buffer[] = [];

  constructor({ address, port, streamId, ...options }: SrtCallOptions, events: SrtCallEvents) {
    this.#socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    this.#socket.on('error', (error) => this.#finish(() => events.onError(error)));
    this.#socket.on('message', (datagram) => this.#run(() => this.#caller.handleDatagram(datagram, monotonicUs())));
    // Only a connected socket reports that no process listens.
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

  /** One payload of at most 1456 bytes; false when it was dropped because the peer accepts no data or is not connected. */
  send(payload: Buffer): boolean {
    const isTaken = this.#connection?.send(payload, monotonicUs()) ?? false;
    // Several payloads of one frame wake the connection once.
    if (isTaken && !this.#isWoken) {
      this.#isWoken = true;
      setImmediate(() => {
        this.#isWoken = false;
        this.#wake();
      });
    }
    return isTaken;
  }

  /** Packets accepted by `send` and not yet sent for the first time. */
  get waitingPackets(): number {
    return this.#connection?.waitingPackets ?? 0;
  }

  /** Packets sent and not yet acknowledged. */
  get flightPackets(): number {
    return this.#connection?.flightPackets ?? 0;
  }

  /** Packets that the peer has acknowledged. */
  get acknowledgedPackets(): number {
    return this.#connection?.acknowledgedPackets ?? 0;
  }

  /** Packets refused, discarded, or dropped because they were too late. */
  get droppedPackets(): number {
    return this.#connection?.droppedPackets ?? 0;
  }

  /** Drops all payloads that the peer has not acknowledged. */
  discardAll(): void {
    this.#connection?.discardAll(monotonicUs());
  }

  stats(): SrtConnectionStats | undefined {
    return this.#connection?.stats(monotonicUs());
  }

  /** Sends a shutdown to the peer and releases the socket; no event follows. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#connection?.close(monotonicUs());
    this.#release();
  }

  #transmit(datagram: Buffer): void {
    // Errors of `send` are also emitted as events.
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
    // The last datagrams are sent when the current turn of the event loop ends.
    setImmediate(() => this.#socket.close());
  }
}
