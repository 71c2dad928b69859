import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { hostPorts } from '@srs-stack/media/protocols/sdp/candidates.ts';
import { planMedia } from '@srs-stack/media/protocols/sdp/media-plan.ts';
import { offersSimulcast, parseSdpOffer } from '@srs-stack/media/protocols/sdp/sdp-offer.ts';
import { faultReporter } from '../../faults.ts';
import type { Publication } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import { WhipPublisher } from '../../ingest/whip-publisher.ts';
import { type SessionInfo, sessionFields } from '../../session-info.ts';
import { outsideSessions } from '../../session-scope.ts';
import type { RtcPeer, RtcPeerEvents } from '../../webrtc-transport/webrtc-transport.ts';
import { admitPublisher } from '../gate/publish-gate.ts';
import type { RtcSessionState } from './rtc-blocking-sessions.ts';
import { answerOf, type RtcOpened, type RtcSession, type RtcSessionContext } from './rtc-session.ts';

/** Time limit for connecting, milliseconds. */
const connectTimeoutMs = 15_000;
/**
 * A publisher that is silent for this time counts as disconnected, milliseconds. Browsers send RTCP even for a muted track, and give up
 * after about 15 s, too. Short network interruptions do not end the session.
 */
const silenceLimitMs = 15_000;

/** Interval of checks for packet gaps and needed keyframes, milliseconds. */
const tickIntervalMs = 50;

export class RtcPublishSession implements RtcSession {
  readonly tickIntervalMs = tickIntervalMs;
  readonly #info: SessionInfo;
  readonly #context: RtcSessionContext;
  readonly #publisher: WhipPublisher;
  readonly #publication: Publication;
  readonly #ports: ReadonlySet<number>;
  #peer: RtcPeer | undefined;
  #lastPacketMs: number;
  isConnecting = true;
  #ended = false;

  static async open(offerText: string, info: SessionInfo, context: RtcSessionContext): Promise<RtcOpened> {
    const plans = planMedia(parseSdpOffer(offerText), 'receive').map((plan) => ({
      ...plan,
      direction: 'receive' as const,
      ssrc: 0,
    }));
    let session: RtcPublishSession | undefined;
    const owner = {
      close: (reason: StreamEndReason) => {
        if (session) session.#end(reason);
      },
      requestKeyframe: () => {
        if (session) session.#publisher.requestKeyframe(context.attended());
      },
      stats: () => ({ detail: session ? session.#detail() : {} }),
    };
    const result = await admitPublisher(info, owner, context);
    if (!result.ok) return result;
    const noPlace = context.left.aborted ? undefined : context.onAdmitted();
    if (noPlace) {
      result.publication.end('error');
      context.ports.onUnpublish(info);
      return noPlace;
    }
    const hasVideo = plans.some(({ kind }) => kind === 'video');
    session = new RtcPublishSession(info, context, result.publication, offerText, hasVideo);
    const current = session;
    context.onProven();
    if (context.left.aborted) {
      current.#end('error');
      return 'gone';
    }
    try {
      const events: RtcPeerEvents = {
        onDatagram: (track, datagram) => current.#handleDatagram(track, datagram),
        onStateChange: (state) => (state === 'closed' ? current.#leave() : current.#connect()),
        onOpen: () => {},
      };
      // The media outlives the signalling request, so the peer is created outside the request's async context.
      current.#peer = await outsideSessions(() => context.transport.createPeer(offerText, plans, events, info.ip));
    } catch (error) {
      current.#end('error');
      throw error;
    }
    // `#end` could not close the peer, which did not exist yet.
    if (current.#ended) {
      current.#peer.close();
      return 'gone';
    }
    return { ok: true, answer: answerOf(current.#peer, context), session: current };
  }

  private constructor(
    info: SessionInfo,
    context: RtcSessionContext,
    publication: Publication,
    offer: string,
    hasVideo: boolean,
  ) {
    this.#ports = hostPorts(offer);
    this.#info = info;
    this.#context = context;
    this.#publication = publication;
    if (hasVideo) publication.expectVideo();
    this.#publisher = new WhipPublisher(publication, offersSimulcast(offer));
    this.#lastPacketMs = context.attended();
  }

  tick(now: number): boolean {
    this.#leaveOutMalformed(() => this.#publisher.tick(now));
    return !this.#ended && now - this.#lastPacketMs < (this.isConnecting ? connectTimeoutMs : silenceLimitMs);
  }

  stateAt(now: number): RtcSessionState {
    const quietMs = now - this.#lastPacketMs;
    const { isConnecting } = this;
    const silentMs = !isConnecting && this.#publisher.hasVideo ? quietMs : 0;
    return { ip: this.#info.ip, ports: this.#ports, connectingMs: isConnecting ? quietMs : 0, silentMs };
  }

  close(reason: StreamEndReason): void {
    this.#end(reason);
  }

  #connect(): void {
    if (this.#ended) return;
    this.isConnecting = false;
    this.#lastPacketMs = this.#context.attended();
    this.#context.ports.log.info(sessionFields(this.#info), 'publish started');
  }

  /** The connection of the peer has ended or failed, or was never established. */
  #leave(): void {
    this.#end(this.isConnecting ? 'error' : 'unpublished');
  }

  #handleDatagram(track: Parameters<WhipPublisher['handleDatagram']>[0], datagram: Buffer): void {
    if (this.#ended) return;
    const now = this.#context.attended();
    this.#lastPacketMs = now;
    this.#leaveOutMalformed(() => this.#publisher.handleDatagram(track, datagram, now));
  }

  #leaveOutMalformed(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (error instanceof ProtocolError) {
        this.#context.ports.log.debug({ ...sessionFields(this.#info), reason: error.reason }, 'malformed RTP dropped');
      } else this.#endAfterFault(error);
    }
  }

  /** Reports an exception as a fault and ends only this session. */
  #endAfterFault(error: unknown): void {
    faultReporter(this.#context.ports)(error, sessionFields(this.#info), 'session failed and was closed');
    this.#end('error');
  }

  #detail(): Readonly<Record<string, number>> {
    const { lostPackets, damagedFrames, rttMs } = this.#publisher;
    return { lostPackets, damagedFrames, rttMs };
  }

  #end(reason: StreamEndReason): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#publication.end(reason);
    this.#peer?.close();
    this.#context.ports.onUnpublish(this.#info);
    this.#context.ports.log.info({ ...sessionFields(this.#info), reason }, 'publish ended');
    this.#context.onEnd();
  }
}
