import { parseH264Config } from '@srs-stack/media/codecs/h264-config.ts';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { hostPorts } from '@srs-stack/media/protocols/sdp/candidates.ts';
import { planMedia } from '@srs-stack/media/protocols/sdp/media-plan.ts';
import { parseSdpOffer } from '@srs-stack/media/protocols/sdp/sdp-offer.ts';
import type { Obstacle } from '../../egress/obstacle.ts';
import { type WhepBroadcast, whepSsrc } from '../../egress/whep/whep-broadcast.ts';
import { obstacleToWhep } from '../../egress/whep/whep-obstacle.ts';
import { WhepViewer } from '../../egress/whep/whep-viewer.ts';
import { faultReporter } from '../../faults.ts';
import type { PlayerHandle, Stream } from '../../hub/stream-hub.ts';
import { type SessionInfo, sessionFields } from '../../session-info.ts';
import { outsideSessions } from '../../session-scope.ts';
import type { RtcMediaPlan, RtcPeer, RtcPeerEvents } from '../../webrtc-transport/webrtc-transport.ts';
import type { AdmittedPlay } from '../gate/admitted-play.ts';
import type { RtcSessionState } from './rtc-blocking-sessions.ts';
import { answerOf, type RtcOpened, type RtcSession, type RtcSessionContext } from './rtc-session.ts';

/** Time limit for connecting, milliseconds. */
const connectTimeoutMs = 15_000;

/** Interval of checks whether the viewer is alive, milliseconds. */
const tickIntervalMs = 250;

export class RtcPlaySession implements RtcSession {
  readonly tickIntervalMs = tickIntervalMs;
  readonly #play: AdmittedPlay;
  readonly #context: RtcSessionContext;
  readonly #peer: RtcPeer;
  readonly #ports: ReadonlySet<number>;
  readonly #openedMs: number;
  #viewer: WhepViewer | undefined;
  #broadcast: WhepBroadcast | undefined;
  #player: PlayerHandle | undefined;
  #ended = false;

  static async open(offerText: string, info: SessionInfo, context: RtcSessionContext): Promise<RtcOpened> {
    let plans: RtcMediaPlan[] = [];
    const obstacleTo = (stream: Stream | undefined): Obstacle | undefined =>
      obstacleToWhep(stream) ??
      obstacleIn(() => {
        plans = planSending(offerText, stream);
      });
    const admission = await context.gate.admit(info, { waitsForPublisher: true, obstacleTo });
    if (!admission.ok) return admission;
    const { play } = admission;
    const noPlace = context.left.aborted ? 'gone' : context.onAdmitted();
    if (noPlace) {
      play.end();
      return noPlace;
    }
    try {
      return await RtcPlaySession.#connect(offerText, plans, play, context);
    } catch (error) {
      play.end();
      throw error;
    }
  }

  static async #connect(
    offerText: string,
    plans: RtcMediaPlan[],
    play: AdmittedPlay,
    context: RtcSessionContext,
  ): Promise<RtcOpened> {
    let session: RtcPlaySession | undefined;
    let state: 'open' | 'closed' | undefined;
    const events: RtcPeerEvents = {
      onDatagram: (_track, datagram) => {
        if (session) session.#handleDatagram(datagram);
      },
      onStateChange: (next) => {
        if (next !== 'closed') return;
        state = 'closed';
        session?.close();
      },
      onOpen: () => {
        state ??= 'open';
        if (session) session.#start();
      },
    };
    // The media outlives the signalling request, so the peer is created outside the request's async context.
    const peer = await outsideSessions(() => context.transport.createPeer(offerText, plans, events, play.session.ip));
    session = new RtcPlaySession(play, context, peer, hostPorts(offerText));
    if (state === 'closed') session.close();
    else if (state === 'open') session.#start();
    return { ok: true, answer: answerOf(peer, context), session };
  }

  private constructor(play: AdmittedPlay, context: RtcSessionContext, peer: RtcPeer, ports: ReadonlySet<number>) {
    this.#ports = ports;
    this.#play = play;
    this.#context = context;
    this.#peer = peer;
    this.#openedMs = context.attended();
  }

  get isConnecting(): boolean {
    return this.#viewer === undefined;
  }

  tick(now: number): boolean {
    if (!this.#viewer) return now - this.#openedMs < connectTimeoutMs;
    return this.#viewer.isAlive(now);
  }

  stateAt(now: number): RtcSessionState {
    const connectingMs = this.#viewer ? 0 : now - this.#openedMs;
    return { ip: this.#play.session.ip, ports: this.#ports, connectingMs, silentMs: this.#viewer?.silentMs(now) ?? 0 };
  }

  close(): void {
    if (this.#ended) return;
    this.#ended = true;
    const { broadcasts, onEnd } = this.#context;
    if (this.#viewer && this.#broadcast && this.#player) {
      this.#broadcast.removeViewer(this.#viewer);
      broadcasts.release(this.#player.stream, this.#broadcast);
    }
    this.#peer.close();
    this.#play.end();
    onEnd();
  }

  #handleDatagram(datagram: Buffer): void {
    this.#guard(() => this.#viewer?.handleDatagram(datagram, this.#context.attended()));
  }

  /** Reports an exception as a fault and ends only this session. */
  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      faultReporter(this.#context.ports)(error, sessionFields(this.#play.session), 'session failed and was closed');
      this.close();
    }
  }

  #start(): void {
    if (this.#viewer || this.#ended) return;
    this.#guard(() => this.#join());
  }

  #join(): void {
    const { hub, broadcasts, attended } = this.#context;
    const { session } = this.#play;
    const player = this.#play.start({
      close: () => this.close(),
      stats: () => ({ droppedFrames: broadcast.droppedBFrames, queuedBytes: 0, detail: this.#detail() }),
    });
    const broadcast = broadcasts.of(player.stream);
    const viewer: WhepViewer = new WhepViewer(
      this.#peer.tracks,
      {
        onSent: (bytes) => player.countSent(bytes),
        onKeyframeRequest: () => hub.requestKeyframe(session),
        onResendRequest: (sequences) => broadcast.resend(viewer, sequences),
        onStreamEnd: () => this.close(),
        wallClock: () => broadcast.wallClock(),
      },
      attended(),
    );
    this.#broadcast = broadcast;
    this.#player = player;
    this.#viewer = viewer;
    this.#context.onProven();
    if (!broadcast.addViewer(viewer)) hub.requestKeyframe(session);
  }

  #detail(): Readonly<Record<string, number>> {
    const { lossFraction = 0, resentPackets = 0, unsentPackets = 0, rttMs = 0 } = this.#viewer ?? {};
    return { lossPercent: Math.round(lossFraction * 1000) / 10, resentPackets, unsentPackets, rttMs };
  }
}

/** Tracks that the offer allows and the stream can send. Throws `ProtocolError` when there are none. */
export function planSending(offerText: string, stream: Stream | undefined): RtcMediaPlan[] {
  const video = stream?.video;
  const profileIdc = video ? (parseH264Config(video.config)?.profileIdc ?? 0) : 0;
  const plans = planMedia(parseSdpOffer(offerText), 'send', profileIdc);
  return plans.map((plan) => ({ ...plan, direction: 'send' as const, ssrc: whepSsrc[plan.kind] }));
}

/** Runs a step that parses the offer. Returns the error of an invalid offer as an obstacle. */
function obstacleIn(step: () => void): Obstacle | undefined {
  try {
    step();
    return undefined;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { kind: 'unsupported', detail: error.reason };
  }
}
