// Peers of a port: a WebRTC library that sends offers, a bare UDP socket that sends checks, and a relay that observes, drops and injects
// datagrams. Independent of the test runner, because the soak also uses these peers.
import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { writeSdpAnswer } from '@srs-stack/media/protocols/sdp/sdp-answer.ts';
import { negotiateSetup, parseOfferTransport } from '@srs-stack/media/protocols/sdp/sdp-transport.ts';
import { writeBindingRequest } from '@srs-stack/media/protocols/stun/binding-messages.ts';
import library, { type PeerConnection, type Track } from 'node-datachannel';
import type { RtcPort, RtcSession, RtcSessionOptions } from '../src/rtc-port.ts';

export const loopback = '127.0.0.1';
/** Timeout that detects only hangs, milliseconds. */
const hangMs = 120_000;
export const payloadType = { video: 102, audio: 111 } as const;
export const ssrc = { ofPeer: 0x1111, ofPort: 0x2222 } as const;

export async function until(condition: () => boolean, what = 'the condition'): Promise<void> {
  const deadline = performance.now() + hangMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`${what} did not become true`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

export type DatagramKind = 'stun' | 'dtls' | 'media' | 'unknown';

/** RFC 7983 §7. */
export function kindOf(datagram: Buffer): DatagramKind {
  const first = datagram[0] ?? 255;
  if (first <= 3) return 'stun';
  if (first >= 20 && first <= 63) return 'dtls';
  return first >= 128 && first <= 191 ? 'media' : 'unknown';
}

export function rtp(sequence: number, { type = 0, source = 0, bytes = 100 }): Buffer {
  const packet = Buffer.alloc(12 + bytes, sequence & 0xff);
  packet[0] = 0x80;
  packet[1] = type;
  packet.writeUInt16BE(sequence & 0xffff, 2);
  packet.writeUInt32BE(sequence * 10, 4);
  packet.writeUInt32BE(source, 8);
  return packet;
}

/** A sender report without blocks (RFC 3550 §6.4.1). */
export function senderReport(source: number): Buffer {
  const packet = Buffer.alloc(28, 7);
  packet.writeUInt32BE(0x80c80006, 0);
  packet.writeUInt32BE(source, 4);
  return packet;
}

/** A UDP socket that stores received datagrams. */
export class UdpPeer {
  readonly received: Buffer[] = [];
  readonly #socket: Socket;
  readonly #host: string;
  onDatagram: (datagram: Buffer, senderPort: number) => void = () => {};

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.on('message', (datagram, { port }) => {
      this.received.push(datagram);
      this.onDatagram(datagram, port);
    });
  }

  static async open(host = loopback): Promise<UdpPeer> {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(0, host, resolve);
    });
    socket.on('error', () => undefined);
    return new UdpPeer(socket, host);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  send(datagram: Buffer, port: number): Promise<void> {
    return new Promise((resolve) => this.#socket.send(datagram, port, this.#host, () => resolve()));
  }

  async next(kind: DatagramKind, skipped = 0): Promise<Buffer> {
    const all = () => this.received.filter((datagram) => kindOf(datagram) === kind);
    await until(() => all().length > skipped, `a ${kind} datagram`);
    return all()[skipped]!;
  }

  close(): void {
    this.#socket.close();
  }
}

/** Relays datagrams between a peer and a port. For the port, the address of `far` is the peer's address. */
export class Relay {
  readonly near: UdpPeer;
  readonly far: UdpPeer;
  /** Called for each datagram before the relay forwards it; false drops the datagram. */
  judge: (datagram: Buffer, isToPort: boolean) => boolean = () => true;

  private constructor(near: UdpPeer, far: UdpPeer, port: number) {
    this.near = near;
    this.far = far;
    let peerPort = 0;
    near.onDatagram = (datagram, sender) => {
      peerPort = sender;
      if (this.judge(datagram, true)) void far.send(datagram, port);
    };
    far.onDatagram = (datagram) => {
      if (peerPort !== 0 && this.judge(datagram, false)) void near.send(datagram, peerPort);
    };
  }

  static async open(port: number, host = loopback): Promise<Relay> {
    return new Relay(await UdpPeer.open(host), await UdpPeer.open(host), port);
  }

  close(): void {
    this.near.close();
    this.far.close();
  }
}

export interface Observed {
  connected: number;
  closed: number;
  readonly packets: Buffer[];
}

function listen(): Observed & { readonly events: RtcSessionOptions['events'] } {
  const observed = {
    connected: 0,
    closed: 0,
    packets: [] as Buffer[],
    events: {
      onConnected: () => void observed.connected++,
      onClosed: () => void observed.closed++,
      onDatagram: (packet: Buffer) => void observed.packets.push(packet),
    },
  };
  return observed;
}

const remoteUfrag = 'peer';
const remotePassword = 'p'.repeat(22);
const anyFingerprint = { hash: 'sha-256', digest: Buffer.alloc(32, 1) };

/** A session whose peer is a bare socket without a certificate. */
export function openBare(port: RtcPort, isDtlsServer = false, fingerprint = anyFingerprint) {
  const observed = listen();
  const session = port.openSession({
    ...{ remoteUfrag, remotePassword, isDtlsServer },
    fingerprints: [fingerprint],
    events: observed.events,
  });
  if (!session) throw new Error('the port has no free session');
  return { session, observed };
}

/** A check with USE-CANDIDATE, which nominates the address. */
export function checkOf({ ufrag, password }: Pick<RtcSession, 'ufrag' | 'password'>, from = remoteUfrag): Buffer {
  return writeBindingRequest({
    transactionId: randomBytes(12),
    username: `${ufrag}:${from}`,
    password,
    priority: 1,
    useCandidate: true,
    controlling: 7n,
  });
}

export interface PeerOptions {
  /** `a=setup` of the offer. The DTLS client is the peer for `actpass`, and the port for `passive`. */
  readonly setup?: 'actpass' | 'passive';
  readonly host?: string;
  readonly relay?: Relay;
  readonly fingerprint?: { readonly hash: string; readonly digest: Buffer };
  readonly beforeAnswer?: (session: RtcSession) => Promise<void>;
}

/** A peer that sends video and receives audio. */
export interface LibraryPeer {
  readonly session: RtcSession;
  readonly remote: { readonly ufrag: string; readonly password: string };
  readonly observed: Observed;
  readonly connection: PeerConnection;
  readonly video: Track;
  readonly audio: Track;
  readonly states: string[];
  readonly received: Buffer[];
  close(): void;
}

let peers = 0;

export async function openPeer(port: RtcPort, options: PeerOptions = {}): Promise<LibraryPeer> {
  const { setup = 'actpass', host = loopback, relay, fingerprint, beforeAnswer } = options;
  const connection = new library.PeerConnection(`peer-${++peers}`, {
    iceServers: [],
    bindAddress: host,
    disableAutoNegotiation: true,
  });
  const states: string[] = [];
  const received: Buffer[] = [];
  connection.onStateChange((state) => void states.push(state));
  const { video, audio } = addTracks(connection);
  audio.onMessage((packet) => void received.push(packet));
  const offer = (await offerOf(connection)).replaceAll('a=setup:actpass', `a=setup:${setup}`);
  const remote = parseOfferTransport(offer);
  const role = negotiateSetup(remote.setup);
  const observed = listen();
  const session = port.openSession({
    remoteUfrag: remote.ufrag,
    remotePassword: remote.password,
    isDtlsServer: role === 'passive',
    fingerprints: fingerprint ? [fingerprint] : remote.fingerprints,
    events: observed.events,
  });
  if (!session) throw new Error('the port has no free session');
  await beforeAnswer?.(session);
  const answer = writeSdpAnswer({
    offer,
    plans: [
      {
        ...{ kind: 'video', mid: '0', direction: 'receive', codec: 'h264', payloadType: payloadType.video },
        ...{ format: h264Profile, ssrc: 0 },
      },
      {
        ...{ kind: 'audio', mid: '1', direction: 'send', codec: 'opus', payloadType: payloadType.audio },
        ...{ format: opusProfile, ssrc: ssrc.ofPort },
      },
    ],
    ufrag: session.ufrag,
    password: session.password,
    fingerprint: { hash: 'sha-256', digest: port.fingerprint },
    setup: role,
    candidates: [{ ip: host, port: relay?.near.port ?? port.port }],
    sessionId: peers,
    cname: 'srs-stack',
  });
  connection.setRemoteDescription(answer, 'answer' as Parameters<PeerConnection['setRemoteDescription']>[1]);
  return { session, remote, observed, connection, video, audio, states, received, close: () => connection.close() };
}

export async function untilConnected({ observed, video, audio }: LibraryPeer): Promise<void> {
  await until(() => observed.connected > 0 && video.isOpen() && audio.isOpen(), 'the connection');
}

const h264Profile = 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f';
const opusProfile = 'minptime=10;useinbandfec=1';

function addTracks(connection: PeerConnection): { video: Track; audio: Track } {
  const video = new library.Video('0', 'SendOnly');
  video.addH264Codec(payloadType.video, h264Profile);
  video.addSSRC(ssrc.ofPeer, 'peer', 'peer', 'video');
  const audio = new library.Audio('1', 'RecvOnly');
  audio.addOpusCodec(payloadType.audio, opusProfile);
  return { video: connection.addTrack(video), audio: connection.addTrack(audio) };
}

async function offerOf(connection: PeerConnection): Promise<string> {
  connection.setLocalDescription('offer' as Parameters<PeerConnection['setLocalDescription']>[0]);
  await until(() => connection.gatheringState() === 'complete', 'the gathering of candidates');
  return connection.localDescription()?.sdp ?? '';
}
