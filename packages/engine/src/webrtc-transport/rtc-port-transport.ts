// The built-in WebRTC transport (packages/rtc). All peers share one UDP port and one thread, with few system calls per turn of the event
// loop.
import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { reportsBySender } from '@srs-stack/media/protocols/rtp/rtcp.ts';
import { isRtcp, payloadTypeOf, ssrcOf } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import { namedAddresses } from '@srs-stack/media/protocols/sdp/candidates.ts';
import { type SdpAnswerOptions, writeSdpAnswer } from '@srs-stack/media/protocols/sdp/sdp-answer.ts';
import { negotiateSetup, parseOfferTransport } from '@srs-stack/media/protocols/sdp/sdp-transport.ts';
import type { StunAddress } from '@srs-stack/media/protocols/stun/stun-address.ts';
import { RtcPort, type RtcSession } from '@srs-stack/rtc';
import { EngineStartError } from '../engine.ts';
import type { ListenAddress, RtcConfig } from '../engine-config.ts';
import type { EngineLogger } from '../ports.ts';
import { TcpListener } from './tcp-listener.ts';
import { warmUp } from './warm-up.ts';
import type { RtcMediaPlan, RtcPeer, RtcPeerEvents, RtcTrack, RtcTransport, RtcWarmUp } from './webrtc-transport.ts';

const cname = 'srs-stack';
const sessionIdBytes = 6;

/**
 * Binds the UDP port (0 means any free port), and the TCP port if configured. For a port in use, rejects with the system error, or with an
 * `EngineStartError` for the TCP port.
 */
export async function createRtcPortTransport(config: RtcConfig, log: EngineLogger): Promise<RtcTransport> {
  const transport = new RtcPortTransport(config, log);
  try {
    if (config.tcp) await transport.listenForTcp(config.tcp);
  } catch (error) {
    transport.close();
    throw new EngineStartError('rtc-tcp', error);
  }
  return transport;
}

class RtcPortTransport implements RtcTransport {
  readonly #port: RtcPort;
  readonly #host: string | undefined;
  readonly #log: EngineLogger;
  #tcpListener: TcpListener | undefined;
  tcpPort: number | undefined;

  constructor({ host, port }: RtcConfig, log: EngineLogger) {
    this.#host = host;
    this.#log = log;
    const senderOf = (seen: StunAddress) => this.#tcpListener?.senderOf(seen) ?? seen;
    this.#port = new RtcPort({ port, senderOf, ...(host && { host }) }, (error) =>
      log.error({ err: error }, 'WebRTC port failed'),
    );
  }

  get port(): number {
    return this.#port.port;
  }

  /** Address of the port on this machine: loopback, or the address to which the port is bound. */
  get #ownAddress(): string {
    return isEveryAddress(this.#host) ? '127.0.0.1' : this.#host;
  }

  async listenForTcp(address: ListenAddress): Promise<void> {
    this.#tcpListener = new TcpListener({ host: this.#ownAddress, port: this.port }, this.#log);
    this.tcpPort = await this.#tcpListener.listen(address);
  }

  async createPeer(
    offer: string,
    plans: readonly RtcMediaPlan[],
    events: RtcPeerEvents,
    callerIp = '',
  ): Promise<RtcPeer> {
    const remote = parseOfferTransport(offer, plans[0]?.mid);
    const setup = negotiateSetup(remote.setup);
    const peer = new PortPeer(plans, events, this.#log);
    const session = this.#port.openSession({
      remoteUfrag: remote.ufrag,
      remotePassword: remote.password,
      isDtlsServer: setup === 'passive',
      fingerprints: remote.fingerprints,
      ...(remote.isLite && { expectedAt: expectedAt(offer, setup, callerIp) }),
      events: peer,
    });
    if (!session) throw new ProtocolError('sdp', 'the limit of WebRTC sessions is reached');
    try {
      peer.open(session, this.#writeAnswer(session, { offer, plans, setup }));
    } catch (error) {
      session.close();
      throw error;
    }
    return peer;
  }

  #writeAnswer({ ufrag, password }: RtcSession, about: Pick<SdpAnswerOptions, 'offer' | 'plans' | 'setup'>): string {
    return writeSdpAnswer({
      ...about,
      ufrag,
      password,
      fingerprint: { hash: 'sha-256', digest: this.#port.fingerprint },
      candidates: localAddresses(this.#host).map((ip) => ({ ip, port: this.port })),
      tcpPort: this.tcpPort,
      sessionId: randomBytes(sessionIdBytes).readUIntBE(0, sessionIdBytes),
      cname,
    });
  }

  async warmUp(media: RtcWarmUp): Promise<void> {
    await warmUp(this, this.#ownAddress, media);
  }

  close(): void {
    this.#tcpListener?.close();
    this.#port.close();
  }
}

/**
 * Addresses of the peer for the DTLS handshake. When this side starts the handshake (`active`), only the caller's own address is allowed,
 * because an offer may contain any address.
 */
function expectedAt(offer: string, setup: 'active' | 'passive', callerIp: string): StunAddress[] {
  return namedAddresses(offer).filter(({ ip }) => setup === 'passive' || ip === callerIp);
}

function isEveryAddress(host: string | undefined): host is '' | '0.0.0.0' | '::' | undefined {
  return !host || host === '0.0.0.0' || host === '::';
}

/** Addresses for the candidates: the bound address, or all addresses of this machine without loopback. May be empty. */
function localAddresses(host: string | undefined): string[] {
  if (!isEveryAddress(host)) return [host];
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all
    .filter(({ internal, scopeid, family }) => !internal && !scopeid && (host !== '0.0.0.0' || family === 'IPv4'))
    .map(({ address }) => address);
}

class PortPeer implements RtcPeer {
  answer = '';
  readonly tracks: readonly PortTrack[];
  readonly #events: RtcPeerEvents;
  readonly #log: EngineLogger;
  /** Tracks by the SSRC of the sender. Reports identify a track only by this SSRC. */
  readonly #bySsrc = new Map<number, PortTrack>();
  #session: RtcSession | undefined;
  #isClosed = false;

  constructor(plans: readonly RtcMediaPlan[], events: RtcPeerEvents, log: EngineLogger) {
    this.#events = events;
    this.#log = log;
    this.tracks = plans.map((plan) => new PortTrack(plan, (packets) => this.#session?.sendAll(packets) ?? 0));
  }

  open(session: RtcSession, answer: string): void {
    this.#session = session;
    this.answer = answer;
  }

  onConnected(): void {
    this.#guard(() => {
      this.#events.onStateChange('connected');
      this.#events.onOpen();
    });
  }

  onClosed(): void {
    this.close();
    this.#guard(() => this.#events.onStateChange('closed'), true);
  }

  onDatagram(packet: Buffer): void {
    this.#guard(() => {
      if (isRtcp(packet)) this.#takeReports(packet);
      else this.#takeMedia(packet);
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#session?.close();
  }

  #takeMedia(packet: Buffer): void {
    const type = payloadTypeOf(packet);
    const track = this.tracks.find(({ plan }) => plan.payloadType === type && plan.direction === 'receive');
    if (!track) return; // RTX, FEC and other types are not used
    this.#bySsrc.set(ssrcOf(packet), track);
    this.#events.onDatagram(track, packet);
  }

  /** Passes the reports of a player to the first track. Passes each report of a publisher to the track with its SSRC. */
  #takeReports(packet: Buffer): void {
    const [first] = this.tracks;
    if (!first) return;
    if (first.plan.direction === 'send') {
      this.#events.onDatagram(first, packet);
      return;
    }
    for (const { ssrc, report } of reportsBySender(packet)) {
      const track = this.#bySsrc.get(ssrc);
      if (track) this.#events.onDatagram(track, report);
    }
  }

  /** An exception in a handler ends only this session. */
  #guard(step: () => void, isAfterEnd = false): void {
    if (this.#isClosed && !isAfterEnd) return;
    try {
      step();
    } catch (error) {
      this.#log.error({ err: error }, 'WebRTC session failed');
      this.close();
      this.#events.onStateChange('closed');
    }
  }
}

class PortTrack implements RtcTrack {
  readonly plan: RtcMediaPlan;
  readonly sendAll: (datagrams: readonly Buffer[]) => number;

  constructor(plan: RtcMediaPlan, sendAll: (datagrams: readonly Buffer[]) => number) {
    this.plan = plan;
    this.sendAll = sendAll;
  }

  send(datagram: Buffer): boolean {
    return this.sendAll([datagram]) === 1;
  }
}
