// One WebRTC peer over TCP. A separate local socket forwards frames of the peer (RFC 4571) to the UDP port, and responses to the peer. The
// UDP port authenticates TCP and UDP peers alike.
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { isIPv6, type Socket } from 'node:net';
import { StreamFrameReader, writeStreamFrame } from '@srs-stack/media/protocols/rtp/stream-frames.ts';
import { isStun } from '@srs-stack/media/protocols/stun/stun-message.ts';
import type { SharedTurns } from '../util/shared-turns.ts';

/** Longest datagram, bytes: the size of an Ethernet packet, as over UDP. */
const maxDatagramBytes = 1_500;
/** Maximum queue for a slow peer, bytes: two seconds at 1 Mbps. Above this size, datagrams are dropped and later retransmitted. */
const maxQueuedBytes = 256 * 1024;
/** Receive buffer of the local UDP socket, bytes: the frames since a keyframe arrive in one burst. The kernel may allow less. */
const receiveQueueBytes = 1024 * 1024;
/** A peer without a response from the UDP port after this time has no session and is closed, milliseconds. */
const responseWithinMs = 10_000;
/**
 * Maximum number of frames from a peer before the first response of the UDP port. A response to an ICE check takes milliseconds, so more
 * frames are a flood.
 */
const maxUnansweredFrames = 64;
/**
 * Maximum number of consecutive empty frames from a peer with a session: five minutes without media, at one frame per five seconds. More
 * frames are a flood.
 */
const maxEmptyFrames = 64;
/**
 * A peer is closed after this time without data in either direction, milliseconds. Peers prove consent every five seconds (RFC 7675 §5.1).
 */
const idleMs = 30_000;

export interface UdpPort {
  readonly host: string;
  readonly port: number;
}

export interface TcpPeerEvents {
  /** Called with the port of the local UDP socket. */
  onOpen(localPort: number): void;
  /** Called after the first response of the UDP port, which proves that the peer has the password of a session. */
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
  /** Datagrams received before the local socket is open, at most one read. Undefined afterwards. */
  #early: Buffer[] | undefined = [];
  #hasResponse = false;
  /** Number of frames before the first response. `#emptyFrames`: number of consecutive empty frames after the first response. */
  #unansweredFrames = 0;
  #emptyFrames = 0;
  /** True while parsing is pending. Nothing is read. */
  #isCatchingUp = false;
  #isCorked = false;
  #hasEnded = false;

  /** @param turns schedules parsing that exceeds one turn of the event loop */
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

  /** Parses a part of the remaining data. Returns false when nothing is left. */
  #readOn(): boolean {
    if (this.#hasEnded) return false;
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

  /** Whether a datagram may be forwarded. The first datagram must be an ICE check (RFC 8445 §7), so that other clients get no socket. */
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
      // Sends all data of one turn of the event loop in one write.
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

/** A datagram may be lost. An `error` event or a timeout detects the end of the socket. */
function ignoreError(): void {}
