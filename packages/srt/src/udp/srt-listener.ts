// Runs an SRT listener over UDP, with its socket and timer. `SrtAcceptor` implements the protocol.
import { createSocket, type Socket, type SocketOptions } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { SrtOptions } from '../handshake/handshake-options.ts';
import type { RejectReason } from '../handshake/reject-reason.ts';
import { type ConnectionRequest, SrtAcceptor } from '../handshake/srt-acceptor.ts';
import type { RemoteAddress } from '../handshake/syn-cookie.ts';

/** Maximum pause between two calls of `advance` while connections or handshakes exist, milliseconds: the ACK interval. */
const maxSleepMs = 10;
/** Size of the kernel's buffers, bytes. They hold one second of 40 Mbit/s while the event loop is busy. The system may grant less. */
const socketBufferBytes = 5 * 1024 * 1024;

export interface SrtListenerEvents {
  onRequest(request: ConnectionRequest): void;
  onRefused?(remote: RemoteAddress, reason: RejectReason, streamId: string): void;
  /** A handler of a connection threw an error, and the connection is then closed. Without this callback the error is thrown. */
  onFault?(remote: RemoteAddress, error: unknown): void;
  /**
   * A datagram for a connection of another listener on this port (`SrtOptions.member`). Pass the datagram to `handleDatagram` of that
   * listener.
   */
  onMisdelivered?(datagram: Buffer, remote: RemoteAddress, member: number): void;
  /** The bound socket failed, and the listener is then closed. */
  onError?(error: Error): void;
}

/** Offset from `monotonicUs` to a clock that all processes of this machine share, microseconds. */
export function machineClockOffsetUs(): number {
  return Number(process.hrtime.bigint() / 1_000n) - monotonicUs();
}

type Lookup = NonNullable<SocketOptions['lookup']>;

/** Microseconds of a monotonic clock, used for every `nowUs` of this package. */
export function monotonicUs(): number {
  return performance.now() * 1000;
}

export class SrtListener {
  readonly #acceptor: SrtAcceptor;
  readonly #events: SrtListenerEvents;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #wakeUs = Number.POSITIVE_INFINITY;

  constructor(options: SrtOptions, events: SrtListenerEvents) {
    this.#events = events;
    const transmit = (datagram: Buffer, remote: RemoteAddress) =>
      this.#socket?.send(datagram, remote.port, remote.address);
    this.#acceptor = new SrtAcceptor(
      options,
      {
        transmit,
        onRequest: (request) => events.onRequest(request),
        onRefused: (remote, reason, streamId) => events.onRefused?.(remote, reason, streamId),
        ...(events.onMisdelivered && {
          onMisdelivered: (datagram, remote, member) => events.onMisdelivered?.(datagram, remote, member),
        }),
        ...(events.onFault && { onFault: (remote, error) => events.onFault?.(remote, error) }),
      },
      monotonicUs(),
    );
  }

  get connectionCount(): number {
    return this.#acceptor.connectionCount;
  }

  /**
   * Binds the socket and returns its port; port 0 is any free port. With `reusePort`, other processes may also bind the port, and the
   * kernel distributes callers among all of them. Rejects with the system error.
   */
  async listen(port: number, host?: string, reusePort = false): Promise<number> {
    const type = host && !isIPv6(host) ? 'udp4' : 'udp6';
    // Peers have numeric addresses, so this lookup avoids a DNS query per sent datagram.
    const lookup: Lookup = (address, _options, callback) => callback(null, address, isIPv6(address) ? 6 : 4);
    const socket = createSocket({ type, ipv6Only: false, lookup, reusePort });
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind({ port, ...(host ? { address: host } : {}) }, () => {
        socket.off('error', reject);
        resolve();
      });
    });
    growBuffers(socket);
    socket.on('message', (datagram, remote) => this.handleDatagram(datagram, remote));
    socket.on('error', (error) => {
      this.#events.onError?.(error);
      this.close();
    });
    this.#socket = socket;
    return socket.address().port;
  }

  /**
   * Handles a datagram that arrived at this socket, or at another listener's socket on this port. Payloads may be views of the buffer, so
   * the caller must not reuse the buffer.
   */
  handleDatagram(datagram: Buffer, remote: RemoteAddress): void {
    this.#acceptor.handleDatagram(datagram, remote, monotonicUs());
    if (this.#wakeUs === Number.POSITIVE_INFINITY) this.wake();
  }

  /** Runs all due work. Call it after sending through a connection. */
  wake(): void {
    const nowUs = monotonicUs();
    const nextUs = this.#acceptor.advance(nowUs);
    this.#wakeUs = nextUs;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (nextUs === Number.POSITIVE_INFINITY) return;
    const sleepMs = Math.min(Math.max((nextUs - nowUs) / 1000, 1), maxSleepMs);
    this.#timer = setTimeout(() => this.wake(), sleepMs);
  }

  /** Sends a shutdown to every peer and releases the socket. Idempotent. */
  close(): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#acceptor.close(monotonicUs());
    this.#socket = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // The shutdown packets are sent at the end of the current turn of the event loop.
    setImmediate(() => socket.close());
  }
}

function growBuffers(socket: Socket): void {
  try {
    socket.setRecvBufferSize(socketBufferBytes);
    socket.setSendBufferSize(socketBufferBytes);
  } catch {
    // the system's buffer size remains; retransmissions repair losses by overflows
  }
}
