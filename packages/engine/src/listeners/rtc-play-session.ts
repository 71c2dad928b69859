// One WHEP player, from its offer to its end.
import { parseH264Config } from '@srs-stack/media/codecs/h264-config.ts';
import { hostPorts, replaceCandidates, toCandidateAddress } from '@srs-stack/media/protocols/sdp/candidates.ts';
import { planMedia } from '@srs-stack/media/protocols/sdp/media-plan.ts';
import { parseSdpOffer } from '@srs-stack/media/protocols/sdp/sdp-offer.ts';
import { soundUnsupported } from '../egress/http-answer.ts';
import { type WhepBroadcast, whepSound, whepSsrc } from '../egress/whep/whep-broadcast.ts';
import { WhepViewer } from '../egress/whep/whep-viewer.ts';
import { faultReporter } from '../faults.ts';
import type { PlayerHandle } from '../hub/stream-hub.ts';
import type { SessionInfo } from '../session-info.ts';
import { outsideSessions } from '../session-scope.ts';
import type { RtcPeer, RtcPeerEvents } from '../webrtc-transport/webrtc-transport.ts';
import type { RtcSessionState } from './rtc-blocking-sessions.ts';
import type { RtcOpened, RtcSession, RtcSessionContext } from './rtc-listener.ts';

/** A peer that has not connected by then never will, milliseconds. */
const connectTimeoutMs = 15_000;

export class RtcPlaySession implements RtcSession {
  private readonly info: SessionInfo;
  private readonly context: RtcSessionContext;
  private readonly peer: RtcPeer;
  private readonly ports: ReadonlySet<number>;
  private readonly openedMs: number;
  private viewer: WhepViewer | undefined;
  private broadcast: WhepBroadcast | undefined;
  private player: PlayerHandle | undefined;
  private ended = false;

  static async open(offerText: string, info: SessionInfo, context: RtcSessionContext): Promise<RtcOpened> {
    const { hub, ports, transport, candidates } = context;
    if (!ports.isValidStream(info)) {
      return { ok: false, reason: 'name-invalid', detail: 'the stream address has characters that are not allowed' };
    }
    const stream = hub.find(info);
    const sound = stream?.unheardBy(whepSound);
    if (sound) return { ok: false, reason: 'codec-unsupported', detail: soundUnsupported(sound) };
    const video = stream?.video;
    if (video && video.codec !== 'h264') {
      const detail = `WebRTC plays H.264 here, and this stream is ${video.codec}: play it by HTTP-FLV or HLS, or transcode it`;
      return { ok: false, reason: 'codec-unsupported', detail };
    }
    const profileIdc = video ? (parseH264Config(video.config)?.profileIdc ?? 0) : 0;
    const plans = planMedia(parseSdpOffer(offerText), 'send', profileIdc).map((plan) => ({
      ...plan,
      direction: 'send' as const,
      ssrc: whepSsrc[plan.kind],
    }));
    const verdict = await ports.authorizePlay(info);
    if (!verdict.allowed) return { ok: false, reason: verdict.reason, detail: verdict.detail };
    if (context.left.aborted) {
      ports.onStop(info);
      return 'gone';
    }
    let session: RtcPlaySession | undefined;
    let state: 'open' | 'closed' | undefined;
    try {
      const events: RtcPeerEvents = {
        onDatagram: (_track, datagram) => session?.handleDatagram(datagram),
        onStateChange: (next) => {
          if (next !== 'closed') return;
          state = 'closed';
          session?.close();
        },
        onOpen: () => {
          state ??= 'open';
          session?.start();
        },
      };
      // Its media outlives the request that asked for it.
      const peer = await outsideSessions(() => transport.createPeer(offerText, plans, events));
      session = new RtcPlaySession(info, context, peer, hostPorts(offerText));
    } catch (error) {
      ports.onStop(info);
      throw error;
    }
    if (state === 'closed') session.close();
    else if (state === 'open') session.start();
    const answer = replaceCandidates(session.peer.answer, candidates.map(toCandidateAddress), transport.port);
    return { ok: true, answer, session };
  }

  private constructor(info: SessionInfo, context: RtcSessionContext, peer: RtcPeer, ports: ReadonlySet<number>) {
    this.ports = ports;
    this.info = info;
    this.context = context;
    this.peer = peer;
    this.openedMs = context.clock();
  }

  get isConnecting(): boolean {
    return this.viewer === undefined;
  }

  tick(now: number): boolean {
    if (!this.viewer) return now - this.openedMs < connectTimeoutMs;
    return this.viewer.isAlive(now);
  }

  stateAt(now: number): RtcSessionState {
    const connectingMs = this.viewer ? 0 : now - this.openedMs;
    return { ip: this.info.ip, ports: this.ports, connectingMs, silentMs: this.viewer?.silentMs(now) ?? 0 };
  }

  close(): void {
    if (this.ended) return;
    this.ended = true;
    const { ports, broadcasts, onEnd } = this.context;
    if (this.viewer && this.broadcast) {
      this.broadcast.removeViewer(this.viewer);
      broadcasts.release(this.info, this.broadcast);
    }
    this.player?.close();
    this.peer.close();
    ports.onStop(this.info);
    ports.log.info(this.logFields(), 'play ended');
    onEnd();
  }

  private handleDatagram(datagram: Buffer): void {
    this.guard(() => this.viewer?.handleDatagram(datagram, this.context.clock()));
  }

  /** A bug of ours ends this session alone: the library that called would not take it. */
  private guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      faultReporter(this.context.ports)(error, this.logFields(), 'session failed and was ended');
      this.close();
    }
  }

  /** The peer is connected: it joins the broadcast. */
  private start(): void {
    if (this.viewer || this.ended) return;
    this.guard(() => this.join());
  }

  private join(): void {
    const { hub, broadcasts, clock, ports } = this.context;
    const broadcast = broadcasts.of(this.info);
    const player = hub.addPlayer(this.info, {
      close: () => this.close(),
      stats: () => ({ droppedFrames: broadcast.droppedBFrames, queuedBytes: 0, detail: this.detail() }),
    });
    const viewer: WhepViewer = new WhepViewer(
      this.peer.tracks,
      {
        onSent: (bytes) => player.countSent(bytes),
        onKeyframeRequest: () => hub.requestKeyframe(this.info),
        onResendRequest: (sequences) => broadcast.resend(viewer, sequences),
        onStreamEnd: () => this.close(),
        wallClock: () => broadcast.wallClock(),
      },
      clock(),
    );
    this.broadcast = broadcast;
    this.player = player;
    this.viewer = viewer;
    this.context.onProven();
    ports.log.info(this.logFields(), 'play started');
    if (!broadcast.addViewer(viewer)) hub.requestKeyframe(this.info);
  }

  private detail(): Readonly<Record<string, number>> {
    const { lossFraction = 0, resentPackets = 0, unsentPackets = 0, rttMs = 0 } = this.viewer ?? {};
    return { lossPercent: Math.round(lossFraction * 1000) / 10, resentPackets, unsentPackets, rttMs };
  }

  private logFields(): object {
    const { clientId, app, stream, ip } = this.info;
    return { clientId, app, stream, ip, protocol: 'rtc' };
  }
}
