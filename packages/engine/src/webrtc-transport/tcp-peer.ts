// One WebRTC peer over TCP. Frames of its connection are forwarded to the UDP port from a separate local socket, and replies back to the
// peer (RFC 6544 §4.3). For the port it is a peer like any other, with the same authentication.
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { isIPv6, type Socket } from 'node:net';
import { StreamFrameReader, writeStreamFrame } from '@srs-stack/media/protocols/rtp/stream-frames.ts';
import { isStun } from '@srs-stack/media/protocols/stun/stun-message.ts';
import type { SharedTurns } from '../util/shared-turns.ts';

/** Longest datagram, bytes: what fits into an Ethernet packet, as peers send it by UDP too. */
const maxDatagramBytes = 1_500;
/** Queue for a slow peer, bytes: two seconds of 1 Mbps. Above it datagrams are lost, as on a full network, and retransmitted. */
const maxQueuedBytes = 256 * 1024;
/** Socket buffer between the port and the peer, bytes: frames since a keyframe arrive in steps. The kernel may give less. */
const receiveQueueBytes = 1024 * 1024;
/** Time until the first response of the port, milliseconds. Without one the peer has no session and is closed. */
const responseWithinMs = 10_000;
/**
 * Maximum number of frames of a peer before the first response of the port, with or without a datagram. A first check gets its response
 * within milliseconds, and media follow it. More is a flood.
 */
const maxUnansweredFrames = 64;
/** Consecutive empty frames of a peer with a session: at one each five seconds, five minutes without a datagram. More is a flood. */
const maxEmptyFrames = 64;
/** Idle timeout in both directions, milliseconds: peers prove consent every five seconds (RFC 7675 §5.1). */
const idleMs = 30_000;

export interface UdpPort {
  /** Address of the port on this machine. */
  readonly host: string;
  readonly port: number;
}

export interface TcpPeerEvents {
  /** The peer is forwarded to the WebRTC port from this local port. */
  onOpen(localPort: number): void;
  /** The port has responded: the peer has the password of a session. */
  onResponse(): void;
  /** Called once. */
  onEnd(): void;
}

export class TcpPeer {
  readonly #tcp: Socket;
  readonly #udpPort: UdpPort;
  readonly #events: TcpPeerEvents;
  readonly #reader = new StreamFrameReader({
    maxDatagramBytes,
    onDatagram: (datagram) => this.#toPort(datagram),
    onEmpty: () => this.#takeEmpty(),
  });
  readonly #turns: SharedTurns;
  readonly #responseTimer: NodeJS.Timeout;
  #udp: UdpSocket | undefined;
  /** Data received before the socket to the port exists: the rest of one read at most. Undefined afterwards. */
  #early: Buffer[] | undefined = [];
  #hasResponse = false;
  /** Frames before the first response, and consecutive frames without a datagram after it. */
  #unansweredFrames = 0;
  #emptyFrames = 0;
  /** Parsing is pending; nothing is read. */
  #isCatchingUp = false;
  #isCorked = false;
  #hasEnded = false;

  /** @param turns parsing work that exceeds one turn of the event loop */
  constructor(tcp: Socket, udpPort: UdpPort, turns: SharedTurns, events: TcpPeerEvents) {
    this.#tcp = tcp;
    this.#turns = turns;
    this.#udpPort = udpPort;
    this.#events = events;
    this.#responseTimer = setTimeout(() => this.close(), responseWithinMs).unref();
    tcp.on('data', (bytes) => this.#read(bytes));
    tcp.on('error', () => undefined); // 'close' follows
    tcp.on('close', () => this.close());
  }

  /** Idempotent. */
  close(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#responseTimer);
    this.#tcp.destroy();
    this.#udp?.close();
    this.#events.onEnd();
  }

  #read(bytes: Buffer): void {
    this.#guard(() => this.#reader.read(bytes));
    if (this.#hasEnded || !this.#reader.isHeldBack) return;
    this.#isCatchingUp = true;
    this.#tcp.pause();
    this.#turns.add(() => this.#readOn());
  }

  /** Parses a part of the rest; false when that was all. */
  #readOn(): boolean {
    if (this.#hasEnded) return false;
    // Data that waits for the socket to the port is bounded by one read.
    this.#guard(() => this.#reader.readOn());
    this.#isCatchingUp = this.#reader.isHeldBack && !this.#hasEnded;
    if (!this.#isCatchingUp) this.#resume();
    return this.#isCatchingUp;
  }

  #guard(step: () => void): void {
    try {
      step();
    } catch {
      this.close(); // invalid frames: not a WebRTC peer
    }
  }

  #takeEmpty(): void {
    const isFlood = this.#hasResponse ? ++this.#emptyFrames > maxEmptyFrames : !this.#countUnanswered();
    if (isFlood) this.close();
  }

  #resume(): void {
    if (!this.#hasEnded && !this.#isCatchingUp && !this.#early) this.#tcp.resume();
  }

  #toPort(datagram: Buffer): void {
    if (this.#hasEnded) return;
    this.#emptyFrames = 0;
    if (!this.#hasResponse && !this.#isAllowed(datagram)) {
      this.close();
      return;
    }
    this.#udp ??= this.#openUdp();
    if (this.#early) this.#early.push(datagram);
    else this.#udp.send(datagram, ignoreError);
  }

  /**
   * Whether a datagram may be forwarded. The first packet is a check (RFC 8445 §7): other clients get no socket, and their data does not
   * reach the port.
   */
  #isAllowed(datagram: Buffer): boolean {
    return this.#countUnanswered() && (this.#udp !== undefined || isStun(datagram));
  }

  #countUnanswered(): boolean {
    this.#unansweredFrames += 1;
    return this.#unansweredFrames <= maxUnansweredFrames;
  }

  #openUdp(): UdpSocket {
    const { host, port } = this.#udpPort;
    this.#tcp.pause();
    const udp = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: receiveQueueBytes });
    udp.on('error', () => this.close()); // the port is closed
    udp.on('message', (datagram) => this.#toPeer(datagram));
    udp.once('connect', () => this.#onConnected(udp));
    udp.connect(port, host);
    return udp;
  }

  #onConnected(udp: UdpSocket): void {
    if (this.#hasEnded) return;
    this.#events.onOpen(udp.address().port);
    for (const datagram of this.#early ?? []) udp.send(datagram, ignoreError);
    this.#early = undefined;
    this.#resume();
  }

  #toPeer(datagram: Buffer): void {
    if (this.#hasEnded) return;
    if (!this.#hasResponse) this.#noteResponse();
    if (this.#tcp.writableLength > maxQueuedBytes) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#tcp.cork();
      // Data of one turn of the event loop is sent in one write.
      setImmediate(() => {
        this.#isCorked = false;
        this.#tcp.uncork();
      });
    }
    this.#tcp.write(writeStreamFrame(datagram));
  }

  #noteResponse(): void {
    this.#hasResponse = true;
    clearTimeout(this.#responseTimer);
    this.#tcp.setTimeout(idleMs, () => this.close());
    this.#events.onResponse();
  }
}

/** A datagram may be lost here as anywhere; an end arrives as an 'error' of the socket or as silence. */
function ignoreError(): void {}
