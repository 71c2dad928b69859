// WebRTC with libdatachannel (node-datachannel). All peers share one UDP port, or each peer uses a port of a range.
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { namedAddresses, withoutCandidates } from '@srs-stack/media/protocols/sdp/candidates.ts';
import { isLiteOffer, SdpTransportError } from '@srs-stack/media/protocols/sdp/sdp-transport.ts';
import ndc, { type IceUdpMuxListener, type PeerConnection, type RtcConfig, type Track } from 'node-datachannel';
import type { RtcConfig as EngineRtcConfig } from '../engine-config.ts';
import type { EngineLogger } from '../ports.ts';
import type { RtcMediaPlan, RtcPeer, RtcPeerEvents, RtcTrack, RtcTransport } from './webrtc-transport.ts';

/** Gathering host candidates takes milliseconds. After this time, the library counts as hung, milliseconds. */
const gatheringTimeoutMs = 3_000;
/** Priority of a host candidate (RFC 8445 §5.1.2.1). */
const hostPriority = 2_130_706_431;
const cname = 'srs-stack';

/**
 * Binds the shared UDP port (0 means any free port), unless a port range is configured. Rejects with the system error when the port is in
 * use.
 */
export async function createNodeDatachannelTransport(
  config: EngineRtcConfig,
  log: EngineLogger,
): Promise<RtcTransport> {
  ndc.initLogger('Warning', (level, message) => log.debug({ level, message }, 'libdatachannel'));
  if (config.portRange) return new NodeDatachannelTransport(config, log, undefined, 0);
  const port = await probePort(config);
  const holder = new ndc.IceUdpMuxListener(port, config.host);
  return new NodeDatachannelTransport(config, log, holder, port);
}

/** The library binds the port with the first peer and reports no error. This check detects a used port at start. */
function probePort({ port, host }: EngineRtcConfig): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(host && isIPv6(host) ? 'udp6' : 'udp4');
    socket.once('error', (error) => {
      socket.close();
      reject(error);
    });
    socket.bind(port, host, () => {
      const bound = socket.address().port;
      socket.close(() => resolve(bound));
    });
  });
}

class NodeDatachannelTransport implements RtcTransport {
  readonly port: number;
  readonly #config: EngineRtcConfig;
  readonly #log: EngineLogger;
  /** Keeps the shared port bound while there are no peers. */
  readonly #holder: IceUdpMuxListener | undefined;
  #sequence = 0;

  constructor(config: EngineRtcConfig, log: EngineLogger, holder: IceUdpMuxListener | undefined, port: number) {
    this.#config = config;
    this.#log = log;
    this.#holder = holder;
    this.port = port;
  }

  async createPeer(
    offer: string,
    plans: readonly RtcMediaPlan[],
    events: RtcPeerEvents,
    callerIp = '',
  ): Promise<RtcPeer> {
    let peer: NodeDatachannelPeer | undefined;
    try {
      peer = new NodeDatachannelPeer(new ndc.PeerConnection(`peer-${++this.#sequence}`, this.#peerConfig(offer)), {
        events,
        log: this.#log,
      });
      await peer.negotiate(offer, plans, callerIp);
      return peer;
    } catch (error) {
      peer?.close();
      if (error instanceof ProtocolError) throw error;
      throw new SdpTransportError(`the offer cannot be used: ${error instanceof Error ? error.message : error}`);
    }
  }

  #peerConfig(offer: string): RtcConfig {
    const { host, portRange } = this.#config;
    // On the shared port, the library identifies peers by their ICE checks. An ICE-lite peer sends no checks and therefore needs a separate
    // port.
    const shared = isLiteOffer(offer)
      ? {}
      : { enableIceUdpMux: true, portRangeBegin: this.port, portRangeEnd: this.port };
    return {
      iceServers: [],
      disableAutoNegotiation: true,
      ...(host ? { bindAddress: host } : {}),
      ...(portRange ? { portRangeBegin: portRange.first, portRangeEnd: portRange.last } : shared),
    };
  }

  close(): void {
    this.#holder?.stop();
  }
}

class NodeDatachannelPeer implements RtcPeer {
  answer = '';
  readonly tracks: NodeDatachannelTrack[] = [];
  readonly #connection: PeerConnection;
  readonly #events: RtcPeerEvents;
  readonly #log: EngineLogger;
  #closed = false;

  constructor(connection: PeerConnection, { events, log }: { events: RtcPeerEvents; log: EngineLogger }) {
    this.#connection = connection;
    this.#events = events;
    this.#log = log;
    connection.onStateChange((state) =>
      this.#guard(() => {
        if (state === 'connected') events.onStateChange('connected');
        // Closes a disconnected peer, because a lingering session blocks the peer's address on the shared port.
        if (state === 'disconnected' || state === 'failed' || state === 'closed') events.onStateChange('closed');
      }),
    );
  }

  async negotiate(offer: string, plans: readonly RtcMediaPlan[], callerIp: string): Promise<void> {
    const connection = this.#connection;
    const events = this.#events;
    // The library opens all tracks at once, so one `onOpen` callback is enough. Each callback costs time, see `NodeDatachannelTrack`.
    const decisive = plans.find(({ kind }) => kind === 'video') ?? plans[0];
    for (const plan of plans) {
      this.tracks.push(
        new NodeDatachannelTrack(plan, addTrack(connection, plan), {
          onMessage: (track, datagram) => this.#guard(() => events.onDatagram(track, datagram)),
          ...(plan === decisive && { onOpen: () => this.#guard(() => events.onOpen()) }),
        }),
      );
    }
    connection.setRemoteDescription(withoutCandidates(offer), 'offer');
    if (isLiteOffer(offer)) this.#check(offer, callerIp, plans[0]?.mid ?? '');
    connection.setLocalDescription('answer');
    // Without ICE servers, the library already has all candidates. A handler would cost time, see `NodeDatachannelTrack`.
    if (connection.gatheringState() !== 'complete') await this.#gathered();
    this.answer = connection.localDescription()?.sdp ?? '';
  }

  /**
   * Sends an ICE check to an ICE-lite peer, which sends no checks. Only to the caller's own address, because an offer may contain any
   * address.
   */
  #check(offer: string, callerIp: string, mid: string): void {
    for (const [index, { ip, port }] of namedAddresses(offer).entries()) {
      if (ip !== callerIp) continue;
      const line = `candidate:${index + 1} 1 UDP ${hostPriority - index} ${ip} ${port} typ host`;
      this.#connection.addRemoteCandidate(line, mid);
    }
  }

  /** Catches bugs of a handler and ends this session. An exception inside the library would end the process. */
  #guard(step: () => void): void {
    if (this.#closed) return;
    try {
      step();
    } catch (error) {
      this.#log.error({ err: error }, 'WebRTC session failed');
      this.close();
      this.#events.onStateChange('closed');
    }
  }

  #gathered(): Promise<void> {
    const connection = this.#connection;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('ICE gathering did not finish in time')), gatheringTimeoutMs);
      const resolveWhenComplete = (): void => {
        if (connection.gatheringState() !== 'complete') return;
        clearTimeout(timer);
        resolve();
      };
      connection.onGatheringStateChange(resolveWhenComplete);
      resolveWhenComplete();
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // Also ends the tracks, on a thread of the library. Each track is released when it reports its end.
    this.#connection.close();
  }
}

interface TrackEvents {
  readonly onMessage: (track: NodeDatachannelTrack, datagram: Buffer) => void;
  readonly onOpen?: () => void;
}

/**
 * Has as few handlers as possible: libuv visits the async handle of each handler for every datagram. With 200 viewers, each handler per
 * viewer costs about one percent of the sending time.
 */
class NodeDatachannelTrack implements RtcTrack {
  readonly plan: RtcMediaPlan;
  readonly #track: Track;
  /** Cached once true, because the query costs a twentieth of sending a packet. Reset when a send throws. */
  #isOpen = false;

  constructor(plan: RtcMediaPlan, track: Track, { onOpen, onMessage }: TrackEvents) {
    this.plan = plan;
    this.#track = track;
    if (onOpen) track.onOpen(() => onOpen());
    track.onMessage((datagram) => onMessage(this, datagram));
    // Releases the handlers only after the library has closed the track, because threads of the library may still call the handlers.
    track.onClosed(() => this.#track.close());
  }

  sendAll(datagrams: readonly Buffer[]): number {
    let sent = 0;
    while (sent < datagrams.length && this.send(datagrams[sent]!)) sent++;
    return sent;
  }

  /** Sends a datagram. Returns false before the track is open, and after the peer has disconnected. */
  send(datagram: Buffer): boolean {
    try {
      this.#isOpen ||= this.#track.isOpen();
      return this.#isOpen && this.#track.sendMessageBinary(datagram);
    } catch {
      this.#isOpen = false;
      return false;
    }
  }
}

function addTrack(connection: PeerConnection, plan: RtcMediaPlan): Track {
  const direction = plan.direction === 'send' ? 'SendOnly' : 'RecvOnly';
  const media = plan.kind === 'video' ? videoOf(plan, direction) : audioOf(plan, direction);
  if (plan.direction === 'send') media.addSSRC(plan.ssrc, cname, cname, plan.kind);
  return connection.addTrack(media);
}

function videoOf(plan: RtcMediaPlan, direction: 'SendOnly' | 'RecvOnly') {
  const video = new ndc.Video(plan.mid, direction);
  if (plan.codec === 'h265') video.addH265Codec(plan.payloadType);
  else video.addH264Codec(plan.payloadType, plan.format);
  return video;
}

function audioOf(plan: RtcMediaPlan, direction: 'SendOnly' | 'RecvOnly') {
  const audio = new ndc.Audio(plan.mid, direction);
  audio.addOpusCodec(plan.payloadType, plan.format);
  return audio;
}
