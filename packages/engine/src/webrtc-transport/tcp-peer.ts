// One WebRTC peer whose network lets no UDP out: what comes on its connection goes to our UDP port from a socket of its own on this machine,
// and what comes back goes to the peer (RFC 6544 §4.3). To the port it is a peer like any other, so that nobody is let in by another way.
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { isIPv6, type Socket } from 'node:net';
import { StreamFrameReader, writeStreamFrame } from '@srs-stack/media/protocols/rtp/stream-frames.ts';
import { isStun } from '@srs-stack/media/protocols/stun/stun-message.ts';
import type { SharedTurns } from '../util/shared-turns.ts';

/** Longest datagram, bytes: what fits into a packet of Ethernet, which is what peers send by either way. */
const maxDatagramBytes = 1_500;
/** What waits for a peer that reads too slowly, bytes: two seconds of 1 Mbps. What comes then is lost, as on a full line, and asked for again. */
const maxQueuedBytes = 256 * 1024;
/** What waits between our port and the peer, bytes: pictures since a keyframe come in steps. The kernel may give less. */
const receiveQueueBytes = 1024 * 1024;
/** A peer that the port has not answered by then has no session, milliseconds. */
const answerWithinMs = 10_000;
/** What it may have said until then, frames with a datagram or without: a first check is answered within milliseconds, and media follow the answer. More is a flood. */
const maxUnansweredFrames = 64;
/** Empty frames in a row of a peer that was answered: at one each five seconds, five minutes without a datagram. More is a flood. */
const maxEmptyFrames = 64;
/** Nothing went either way for so long, milliseconds: peers prove that they are there each five seconds (RFC 7675 §5.1). */
const idleMs = 30_000;

export interface UdpPort {
  /** Where it is reached from this machine. */
  readonly host: string;
  readonly port: number;
}

export interface TcpPeerEvents {
  /** From now on it speaks to the port, from this port of this machine. */
  onOpen(localPort: number): void;
  /** The port has answered: it knows the peer by the password of a session. */
  onAnswered(): void;
  /** Once. */
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
  readonly #answerTimer: NodeJS.Timeout;
  #udp: UdpSocket | undefined;
  /** What came before the socket to the port was there: the rest of one read at most. Undefined once it is. */
  #early: Buffer[] | undefined = [];
  #isAnswered = false;
  /** Datagrams, and frames without one. */
  #unansweredFrames = 0;
  #emptyFrames = 0;
  /** What was read is not worked off; nothing is read. */
  #isCatchingUp = false;
  #isCorked = false;
  #hasEnded = false;

  /** @param turns work on what was read that is more than one turn of the event loop may do */
  constructor(tcp: Socket, udpPort: UdpPort, turns: SharedTurns, events: TcpPeerEvents) {
    this.#tcp = tcp;
    this.#turns = turns;
    this.#udpPort = udpPort;
    this.#events = events;
    this.#answerTimer = setTimeout(() => this.close(), answerWithinMs).unref();
    tcp.on('data', (bytes) => this.#read(bytes));
    tcp.on('error', () => undefined); // 'close' follows
    tcp.on('close', () => this.close());
  }

  /** Idempotent. */
  close(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#answerTimer);
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

  /** A part of the rest; false when that was all. */
  #readOn(): boolean {
    if (this.#hasEnded) return false;
    // What waits for the socket to the port is bounded by what was read.
    this.#guard(() => this.#reader.readOn());
    this.#isCatchingUp = this.#reader.isHeldBack && !this.#hasEnded;
    if (!this.#isCatchingUp) this.#resume();
    return this.#isCatchingUp;
  }

  #guard(step: () => void): void {
    try {
      step();
    } catch {
      this.close(); // no frames: whoever it is, it is no peer
    }
  }

  #takeEmpty(): void {
    const isFlood = this.#isAnswered ? ++this.#emptyFrames > maxEmptyFrames : !this.#countUnanswered();
    if (isFlood) this.close();
  }

  #resume(): void {
    if (!this.#hasEnded && !this.#isCatchingUp && !this.#early) this.#tcp.resume();
  }

  #toPort(datagram: Buffer): void {
    if (this.#hasEnded) return;
    this.#emptyFrames = 0;
    if (!this.#isAnswered && !this.#maySay(datagram)) {
      this.close();
      return;
    }
    this.#udp ??= this.#openUdp();
    if (this.#early) this.#early.push(datagram);
    else this.#udp.send(datagram, ignoreError);
  }

  /** Nothing is said before a check (RFC 8445 §7): a socket is opened for nobody who says something else, and the port hears no flood of theirs. */
  #maySay(datagram: Buffer): boolean {
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
    udp.once('connect', () => this.#goOn(udp));
    udp.connect(port, host);
    return udp;
  }

  #goOn(udp: UdpSocket): void {
    if (this.#hasEnded) return;
    this.#events.onOpen(udp.address().port);
    for (const datagram of this.#early ?? []) udp.send(datagram, ignoreError);
    this.#early = undefined;
    this.#resume();
  }

  #toPeer(datagram: Buffer): void {
    if (this.#hasEnded) return;
    if (!this.#isAnswered) this.#beAnswered();
    if (this.#tcp.writableLength > maxQueuedBytes) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#tcp.cork();
      // What comes in one turn of the event loop leaves in one write.
      setImmediate(() => {
        this.#isCorked = false;
        this.#tcp.uncork();
      });
    }
    this.#tcp.write(writeStreamFrame(datagram));
  }

  #beAnswered(): void {
    this.#isAnswered = true;
    clearTimeout(this.#answerTimer);
    this.#tcp.setTimeout(idleMs, () => this.close());
    this.#events.onAnswered();
  }
}

/** A datagram may be lost on this way as on any other; an end comes as an 'error' of the socket or as silence. */
function ignoreError(): void {}
