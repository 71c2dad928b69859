// One RTSP peer: its connection, its requests in order, and its role (player or publisher). Releases everything at the end.
import type { Socket } from 'node:net';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { parseBasicCredentials } from '@srs-stack/media/protocols/rtsp/credentials.ts';
import {
  type RtspRequest,
  type RtspResponse,
  writeRtspResponse,
} from '@srs-stack/media/protocols/rtsp/rtsp-message.ts';
import { parseRtspUrl } from '@srs-stack/media/protocols/rtsp/rtsp-url.ts';
import { type AnnouncedMedia, parseAnnouncedMedia } from '@srs-stack/media/protocols/sdp/announced-media.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import { obstacleToFormat } from '../../egress/broadcast/broadcast-format.ts';
import { rtspFormat } from '../../egress/rtsp/rtsp-broadcast-format.ts';
import { faultReporter } from '../../faults.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import { type RefusalReason, type SessionInfo, sessionFields, userAgentOf } from '../../session-info.ts';
import { randomId } from '../../util/random-id.ts';
import type { SharedTurns } from '../../util/shared-turns.ts';
import type { PlayTerms } from '../gate/play-gate.ts';
import { admitPublisher } from '../gate/publish-gate.ts';
import { DigestNonce } from './digest-nonce.ts';
import { RtspAnnouncer } from './rtsp-announcer.ts';
import { type RtspContext, type RtspRole, sessionTimeoutSeconds } from './rtsp-context.ts';
import { RtspExchange } from './rtsp-exchange.ts';
import { RtspPlayer } from './rtsp-player.ts';
import { isCredentialReason, textResponse, toRtspRefusal, unauthorized } from './rtsp-refusal.ts';

/** Maximum size of unsent responses, bytes. A peer that does not read responses is disconnected. */
const maxUnsentResponseBytes = 256 * 1024;
/** Time limit for a complete request, milliseconds. Applies to peers without a role, and to peers that have sent a part of a request. */
const requestTimeoutMs = 30_000;
/** Grace period after the session's timeout, milliseconds. Clients send keep-alives just before the timeout. */
const lifeGraceMs = 15_000;
/** Time for a closing peer to read the last response, milliseconds. */
const lingerMs = 2_000;
const methods = 'OPTIONS, DESCRIBE, SETUP, PLAY, PAUSE, TEARDOWN, ANNOUNCE, RECORD, GET_PARAMETER, SET_PARAMETER';
const bothTracks = rtspFormat({ video: true, audio: true }, Date.now);
const playTerms: PlayTerms = {
  waitsForPublisher: false,
  obstacleTo: (stream) => obstacleToFormat(bothTracks, stream),
};

export interface RtspSessionOptions extends RtspContext {
  readonly turns: SharedTurns;
  readonly onUse: (isUsed: boolean) => void;
}

export class RtspSession {
  readonly #socket: Socket;
  readonly #options: RtspSessionOptions;
  readonly #ip: string;
  readonly #sessionId = randomId(16);
  readonly #exchange: RtspExchange;
  readonly #nonce: DigestNonce;
  #role: RtspRole | undefined;
  #info: SessionInfo | undefined;
  /** The refusal of a request without a password. Reported when the client does not retry with a password. */
  #challenged: { readonly info: SessionInfo; readonly reason: RefusalReason; readonly detail: string } | undefined;
  #unsentResponseBytes = 0;
  #lastDataAtMs: number;
  #destroyAtMs: number | undefined;

  constructor(socket: Socket, options: RtspSessionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#ip = plainAddress(socket.remoteAddress ?? '');
    this.#lastDataAtMs = options.clock();
    this.#nonce = new DigestNonce(options.clock);
    this.#exchange = this.#createExchange();
    socket.on('data', (data) => this.#handleData(data));
    socket.on('error', (error) => options.ports.log.debug({ ip: this.#ip, err: error }, 'RTSP socket failed'));
    socket.on('close', () => this.#guard(() => this.#handleClose()));
  }

  /** True for an admitted player that does not play: not started, or paused. */
  get holdsPlace(): boolean {
    return this.#role instanceof RtspPlayer && !this.#role.isActive;
  }

  /** Ends expired requests and sessions. Call twice a second. */
  tick(now: number): void {
    if (this.#destroyAtMs !== undefined) {
      if (now >= this.#destroyAtMs) this.#socket.destroy();
      return;
    }
    this.#guard(() => {
      this.#role?.tick(now);
      const overdue = this.#overdue(now);
      if (overdue) this.#fail('timeout', overdue);
    });
  }

  close(reason: StreamEndReason): void {
    if (this.#role instanceof RtspAnnouncer) this.#role.endFor(reason);
    this.#endRole();
    this.#closeSocket();
  }

  /** Ends the session immediately when the server shuts down. */
  destroy(): void {
    if (this.#role instanceof RtspAnnouncer) this.#role.endFor('shutdown');
    this.#endRole();
    this.#socket.destroy();
  }

  /** Ends a peer that neither publishes nor plays, to admit newer peers. */
  makeRoom(): void {
    const detail = 'too many connections that neither publish nor play';
    if (this.#info) this.#options.refusals.report(this.#info, 'limit-reached', detail);
    this.#socket.destroy();
  }

  get #isClosing(): boolean {
    return this.#destroyAtMs !== undefined || this.#socket.destroyed;
  }

  #overdue(now: number): string | undefined {
    const { isBusy, insideSinceMs, requestedAtMs } = this.#exchange;
    if (isBusy) return undefined;
    if (insideSinceMs !== undefined && now - insideSinceMs > requestTimeoutMs)
      return 'the client did not send its request completely in time';
    const role = this.#role;
    if (!role?.isActive && now - requestedAtMs > (role ? sessionTimeoutSeconds * 1_000 : requestTimeoutMs)) {
      return 'the client sent no request in time';
    }
    const isLost = role instanceof RtspPlayer && role.usesDatagrams;
    return isLost && now - this.#lastDataAtMs > sessionTimeoutSeconds * 1_000 + lifeGraceMs
      ? 'the client sent no RTSP or RTCP message in time'
      : undefined;
  }

  #handleData(data: Buffer): void {
    if (this.#isClosing) return;
    this.#lastDataAtMs = this.#options.clock();
    this.#exchange.handleData(data);
  }

  #createExchange(): RtspExchange {
    const { turns, clock } = this.#options;
    const session = this;
    return new RtspExchange({
      ...{ socket: this.#socket, turns, clock },
      peer: {
        get isClosing() {
          return session.#isClosing;
        },
        get isPublishing() {
          return session.#role instanceof RtspAnnouncer && session.#role.isActive;
        },
        get scope() {
          return session.#scope;
        },
        onFrame: (channel, data) => this.#role?.onFrame(channel, data),
        respond: (request) => this.#respond(request),
        afterResponse: ({ method }) =>
          method === 'TEARDOWN' ? this.close('unpublished') : this.#role?.afterResponse(),
        send: (bytes) => this.#send(bytes),
        guard: (step) => this.#guard(step),
      },
    });
  }

  /** Responds immediately unless the host must be called, the stream has no tracks yet, or a PLAY after PAUSE must wait. */
  #respond(request: RtspRequest): RtspResponse | Promise<RtspResponse> {
    const { method } = request;
    if (method === 'OPTIONS') return { status: 200, headers: { Public: methods } };
    if (method === 'GET_PARAMETER' || method === 'SET_PARAMETER') return { status: 200, headers: this.#sessionHeader };
    if (method === 'ANNOUNCE')
      return this.#role ? textResponse(455, 'the session already plays or publishes') : this.#announce(request);
    // The first request that names a stream determines the role of the peer.
    const isFirst = !this.#role && (method === 'DESCRIBE' || method === 'SETUP');
    return isFirst ? this.#respondAsPlayer(request) : this.#respondInRole(request);
  }

  async #respondAsPlayer(request: RtspRequest): Promise<RtspResponse> {
    return (await this.#admitPlayer(request)) ?? this.#respondInRole(request);
  }

  #respondInRole(request: RtspRequest): RtspResponse | Promise<RtspResponse> {
    const { method } = request;
    const response = this.#role?.handle(request);
    if (response) return response;
    if (method === 'TEARDOWN') return { status: 200, headers: this.#sessionHeader };
    const isKnown = methods.split(', ').includes(method);
    return textResponse(
      isKnown ? 455 : 405,
      isKnown
        ? `${method} is not allowed in the current state of the session`
        : `method not supported: use one of ${methods}`,
    );
  }

  get #sessionHeader(): Record<string, string> {
    return this.#role ? { Session: `${this.#sessionId};timeout=${sessionTimeoutSeconds}` } : {};
  }

  async #admitPlayer(request: RtspRequest): Promise<RtspResponse | undefined> {
    const { gate, hub } = this.#options;
    const info = this.#toSessionInfo(request, 'rtsp-play', 'watch');
    const admission = await gate.admit(info, playTerms);
    if (!admission.ok) return toRtspRefusal(admission.reason, admission.detail);
    const stream = hub.find(info);
    if (this.#isClosing || !stream) {
      admission.play.end();
      return textResponse(404, 'the stream has ended');
    }
    this.#role = new RtspPlayer({
      ...{ context: this.#options, socket: this.#socket, sessionId: this.#sessionId, ip: this.#ip },
      ...{ play: admission.play, stream, onUse: this.#options.onUse },
      onEnd: () => this.close('kicked'),
    });
    return undefined;
  }

  async #announce(request: RtspRequest): Promise<RtspResponse> {
    const digest = this.#nonce.take(request);
    if (digest === 'stale') return unauthorized('the nonce has expired: try again', [this.#nonce.challenge(true)]);
    const info = { ...this.#toSessionInfo(request, 'rtsp-publish', 'secret'), ...(digest && { digest }) };
    const announced = this.#announcedBy(request, info);
    if (!Array.isArray(announced)) return announced;
    const owner = {
      close: (reason: StreamEndReason) => this.close(reason),
      stats: () => ({ detail: { ...(this.#role instanceof RtspAnnouncer ? this.#role.details : {}) } }),
    };
    const mayFollow = !request.headers.has('authorization');
    const refusals = { report: this.#reportUnless(mayFollow) };
    const result = await admitPublisher(info, owner, { ...this.#options, refusals });
    if (!result.ok) return toRtspRefusal(result.reason, result.detail, this.#publishChallenges(result.reason));
    this.#challenged = undefined;
    const { publication } = result;
    const { onUse } = this.#options;
    const session = { context: this.#options, sessionId: this.#sessionId, ip: this.#ip };
    this.#role = new RtspAnnouncer({ ...session, publication, announced, onUse });
    // The peer disconnected or was ended while the host authorized the peer.
    if (this.#isClosing) this.#endRole();
    return { status: 200, headers: this.#sessionHeader };
  }

  /** Only publishers get a Digest challenge. Digest requires plain-text secrets, but secrets of viewers are stored as hashes. */
  #publishChallenges(reason: RefusalReason): string[] {
    return reason === 'publish-secret-wrong' ? [this.#nonce.challenge(false)] : [];
  }

  /** Clients send a password only after a 401 response, so the first attempt is not reported as a refusal. */
  #reportUnless(mayFollow: boolean) {
    return (info: SessionInfo, reason: RefusalReason, detail: string): void => {
      if (mayFollow && isCredentialReason(reason)) this.#challenged = { info, reason, detail };
      else {
        this.#challenged = undefined;
        this.#options.refusals.report(info, reason, detail);
      }
    };
  }

  #announcedBy({ body }: RtspRequest, info: SessionInfo): AnnouncedMedia[] | RtspResponse {
    const refuse = (status: number, reason: RefusalReason, detail: string): RtspResponse => {
      this.#options.refusals.report(info, reason, detail);
      return textResponse(status, `${reason}: ${detail}`);
    };
    let announced: AnnouncedMedia[];
    try {
      announced = parseAnnouncedMedia(body);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return refuse(400, 'protocol-error', `the session description cannot be read: ${error.reason}`);
    }
    if (announced.some(({ kind }) => kind !== 'unsupported')) return announced;
    const names = announced.map((media) => (media.kind === 'unsupported' ? media.name : '')).join(', ');
    const remedy = 'send H.264 or HEVC video, and AAC, Opus, MP3 or G.711 audio';
    return refuse(415, 'codec-unsupported', `media not supported over RTSP (${names || 'none announced'}): ${remedy}`);
  }

  /** `credential`: query parameter that contains the password. */
  #toSessionInfo(request: RtspRequest, type: SessionInfo['type'], credential: 'secret' | 'watch'): SessionInfo {
    const { app, stream, param } = parseRtspUrl(request.url);
    const password = parseBasicCredentials(request.headers.get('authorization'))?.password ?? '';
    const isNamed = new URLSearchParams(param).has(credential);
    const added = password !== '' && !isNamed ? `${credential}=${encodeURIComponent(password)}` : '';
    const info: SessionInfo = {
      ...{ clientId: randomId(8), type, ip: this.#ip, vhost: defaultVhost, app, stream },
      param: added === '' ? param : `${param === '' ? '?' : `${param}&`}${added}`,
      tcUrl: `rtsp://${/^rtsps?:\/\/([^/?]*)/i.exec(request.url)?.[1]?.replace(/^.*@/, '') ?? ''}/${app}`,
      pageUrl: '',
      ...userAgentOf(request.headers.get('user-agent')),
    };
    this.#info = info;
    return info;
  }

  #send(bytes: Buffer): void {
    if (this.#socket.destroyed) return;
    if (this.#unsentResponseBytes > maxUnsentResponseBytes) {
      this.#fail('protocol-error', 'the client does not read the responses sent to it');
      this.#socket.destroy();
      return;
    }
    this.#unsentResponseBytes += bytes.length;
    this.#socket.write(bytes, () => {
      this.#unsentResponseBytes -= bytes.length;
    });
  }

  get #scope() {
    return { fields: this.#faultFields, end: () => this.close('error') };
  }

  get #faultFields(): object {
    return { protocol: 'rtsp', ip: this.#ip, ...(this.#info && sessionFields(this.#info)) };
  }

  /** Any exception (an error of the peer, or a bug) ends only this session. */
  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (error instanceof ProtocolError) this.#fail('protocol-error', error.message);
      else {
        faultReporter(this.#options.ports)(error, this.#faultFields, 'session failed and was closed');
        this.#socket.destroy();
      }
    }
  }

  #fail(reason: RefusalReason, detail: string): void {
    if (this.#isClosing) return;
    const { refusals, ports } = this.#options;
    if (this.#info) refusals.report(this.#info, reason, detail);
    else ports.log.debug({ ip: this.#ip, protocol: 'rtsp', reason, detail }, 'RTSP session refused');
    if (reason === 'protocol-error') this.#socket.write(writeRtspResponse(textResponse(400, detail), ''));
    this.close(reason === 'timeout' ? 'timeout' : 'error');
  }

  #handleClose(): void {
    const challenged = this.#challenged;
    this.#challenged = undefined;
    if (challenged) this.#options.refusals.report(challenged.info, challenged.reason, challenged.detail);
    this.#endRole();
  }

  #endRole(): void {
    const role = this.#role;
    this.#role = undefined;
    role?.end();
  }

  /** Sends pending data and a FIN. The peer has `lingerMs` to read the data. */
  #closeSocket(): void {
    if (this.#isClosing) return;
    this.#destroyAtMs = this.#options.clock() + lingerMs;
    this.#socket.end();
    this.#socket.resume(); // so that the peer's FIN is seen
  }
}
