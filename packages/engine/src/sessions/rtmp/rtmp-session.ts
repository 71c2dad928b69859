// One RTMP peer: its socket, its protocol connection, and its role (publisher or player). Calls the host to authorize the peer, and
// releases everything at the end.

import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { UnsupportedCodecError } from '@srs-stack/media/containers/flv/flv-format.ts';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import {
  RtmpConnection,
  type RtmpConnectionHandler,
  type StreamRequest,
} from '@srs-stack/media/protocols/rtmp/connection.ts';
import type { RtmpMessage } from '@srs-stack/media/protocols/rtmp/message.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import { obstacleToFormat } from '../../egress/broadcast/broadcast-format.ts';
import type { Broadcasts } from '../../egress/broadcast/broadcasts.ts';
import { rtmpFormat } from '../../egress/flv/flv-broadcast-format.ts';
import { faultReporter } from '../../faults.ts';
import type { StreamHub } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import { RtmpPublisher } from '../../ingest/rtmp-publisher.ts';
import type { EngineLogger, EnginePorts } from '../../ports.ts';
import { type RefusalReason, type SessionInfo, sessionFields, userAgentOf } from '../../session-info.ts';
import { inSession } from '../../session-scope.ts';
import { randomId } from '../../util/random-id.ts';
import type { SharedTurns } from '../../util/shared-turns.ts';
import type { PlayGate, PlayRefusal, PlayTerms } from '../gate/play-gate.ts';
import { admitPublisher } from '../gate/publish-gate.ts';
import type { Refusals } from '../gate/refusals.ts';
import { PacedReads } from '../reads/paced-reads.ts';
import type { RestingReads } from '../reads/resting-reads.ts';
import { RtmpPlayer } from './rtmp-player.ts';
import { playEnd, playRefusal, publishEnd, publishRefusal } from './rtmp-refusal.ts';

/** Maximum size of unsent command responses, bytes. A peer that does not read responses is disconnected, even while playing. */
const maxUnsentResponseBytes = 256 * 1024;
/** Players may connect before the publisher. */
const playTerms: PlayTerms = {
  waitsForPublisher: true,
  obstacleTo: (stream) => obstacleToFormat(rtmpFormat, stream),
};
/** Time for a closing peer to read the last status, milliseconds. */
const lingerMs = 2000;

export interface RtmpSessionOptions {
  readonly hub: StreamHub;
  readonly ports: EnginePorts;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly gate: PlayGate;
  readonly refusals: Refusals;
  readonly broadcasts: Broadcasts;
  readonly resting: RestingReads;
  /** Schedules parsing that exceeds one turn of the event loop. */
  readonly turns: SharedTurns;
  /** Called when the peer starts or stops publishing or playing. */
  readonly onUse: (isUsed: boolean) => void;
}

export class RtmpSession implements RtmpConnectionHandler {
  readonly #socket: Socket;
  readonly #options: RtmpSessionOptions;
  readonly #connection: RtmpConnection;
  readonly #ip: string;
  readonly #log: EngineLogger;
  #info: SessionInfo | undefined;
  #publisher: RtmpPublisher | undefined;
  #player: RtmpPlayer | undefined;
  /** True while authorization is pending. Nothing is read. */
  #isDeciding = false;
  /** True while parsing is pending. Nothing is read. */
  #isCatchingUp = false;
  /** Responses that are collected during parsing and sent in one write. */
  #responses: Buffer[] | undefined;
  #unsentResponseBytes = 0;
  readonly #reads: PacedReads;
  /** Time after which the server destroys the socket. Set after the last write, in case the peer does not close. */
  #destroyAtMs: number | undefined;

  constructor(socket: Socket, options: RtmpSessionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#log = options.ports.log;
    this.#ip = plainAddress(socket.remoteAddress ?? '');
    this.#reads = new PacedReads(socket, options);
    this.#connection = new RtmpConnection(this, { now: options.clock(), random: randomBytes });
    socket.on('data', (data) => this.#handleData(data));
    socket.on('error', (error) => this.#log.debug({ ip: this.#ip, err: error }, 'RTMP socket failed'));
    socket.on('close', () => this.#handleClose());
  }

  /** Ends the session after a timeout. Call twice a second. */
  tick(now: number): void {
    if (this.#destroyAtMs !== undefined) {
      if (now >= this.#destroyAtMs) this.#socket.destroy();
      return;
    }
    this.#guard(() => {
      this.#publisher?.tick();
      const overdue = this.#connection.overdue(now);
      if (overdue !== undefined) this.#fail('timeout', `the client sent no ${overdue} in time`);
    });
  }

  /** Sends the reason to the peer and closes the connection. Idempotent. */
  close(reason: StreamEndReason): void {
    this.#connection.endPublish(publishEnd(reason));
    this.#connection.endPlay(playEnd(reason));
    this.#endRoles(reason);
    this.#closeSocket();
  }

  /** Ends a peer that neither publishes nor plays, to admit newer peers. */
  makeRoom(): void {
    const detail = 'too many connections that neither publish nor play';
    // A flood of connections without a request must not fill the log.
    if (this.#info) this.#report(this.#info, 'limit-reached', detail);
    else this.#log.debug({ ip: this.#ip, detail }, 'idle RTMP connection was closed to make room for a new connection');
    this.#socket.destroy();
  }

  send(parts: Buffer[]): void {
    if (this.#responses) this.#responses.push(...parts);
    else this.#write(parts);
  }

  #write(parts: readonly Buffer[]): void {
    if (this.#socket.destroyed || parts.length === 0) return;
    if (this.#unsentResponseBytes > maxUnsentResponseBytes) {
      this.#report(this.#info, 'protocol-error', 'the client does not read the responses sent to it');
      this.#socket.destroy();
      return;
    }
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    this.#unsentResponseBytes += bytes.length;
    this.#socket.write(bytes, () => {
      this.#unsentResponseBytes -= bytes.length;
    });
  }

  onPublish(request: StreamRequest): void {
    const type = request.announced ? 'fmle-publish' : 'flash-publish';
    this.#decide(() => this.#admitPublisher(this.#toSessionInfo(request, type)));
  }

  onPlay(request: StreamRequest): void {
    this.#decide(() => this.#admitPlayer(this.#toSessionInfo(request, 'rtmp-play')));
  }

  onMedia(message: RtmpMessage): void {
    this.#publisher?.handleMessage(message);
  }

  onDropped(typeId: number, reason: string): void {
    this.#publisher?.countDropped(typeId, reason);
  }

  onPublishEnd(): void {
    this.#endRoles('unpublished');
  }

  onPlayEnd(): void {
    this.#endRoles('unpublished');
  }

  get #isClosing(): boolean {
    return this.#destroyAtMs !== undefined || this.#socket.destroyed;
  }

  #handleData(data: Buffer): void {
    if (this.#isClosing) return;
    this.#publisher?.countReceived(data.length);
    this.#work(() => this.#connection.push(data, this.#options.clock()));
    this.#catchUp();
    this.#reads.onRead(data.length, this.#mayRest);
  }

  #work(step: () => void): void {
    this.#responses = [];
    this.#guard(step);
    this.#flushResponses();
  }

  #flushResponses(): void {
    const pending = this.#responses ?? [];
    this.#responses = undefined;
    this.#write(pending);
  }

  /** Parses the rest of a read in later turns of the event loop. */
  #catchUp(): void {
    if (this.#isCatchingUp || this.#isClosing || !this.#connection.isHeldBack) return;
    this.#isCatchingUp = true;
    this.#socket.pause();
    const scope = { fields: this.#faultFields(), end: () => this.close('error') };
    this.#options.turns.add(() => {
      inSession(scope, () => this.#work(() => this.#connection.readOn(this.#options.clock())));
      this.#isCatchingUp = this.#connection.isHeldBack && !this.#isClosing;
      if (!this.#isCatchingUp) this.#resume();
      return this.#isCatchingUp;
    });
  }

  #resume(): void {
    if (!this.#isDeciding && !this.#isCatchingUp) this.#socket.resume();
  }

  /** True when the peer publishes, no reader needs each packet immediately, and nothing else has paused the socket. */
  get #mayRest(): boolean {
    return this.#publisher?.isAwaited === false && !this.#isDeciding && !this.#isCatchingUp && !this.#isClosing;
  }

  #handleClose(): void {
    this.#guard(() => {
      this.#connection.close();
      this.#endRoles('error');
    });
  }

  /** Any exception (an error of the peer, or a bug) ends only this session. */
  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (error instanceof UnsupportedCodecError) this.#fail('codec-unsupported', error.reason);
      else if (error instanceof ProtocolError) this.#fail('protocol-error', error.message);
      else {
        this.#reportFault(error);
        this.#closeAfterFault();
      }
    }
  }

  #reportFault(error: unknown): void {
    faultReporter(this.#options.ports)(error, this.#faultFields(), 'session failed and was closed');
  }

  #faultFields(): object {
    return { protocol: 'rtmp', ip: this.#ip, ...(this.#info && sessionFields(this.#info)) };
  }

  #closeAfterFault(): void {
    try {
      this.close('error');
    } catch (error) {
      this.#socket.destroy();
      this.#reportFault(error);
    }
  }

  /** Nothing is read during authorization, so at most one request is pending. */
  #decide(step: () => Promise<void>): void {
    this.#isDeciding = true;
    this.#socket.pause();
    const scope = { fields: this.#faultFields(), end: () => this.close('error') };
    inSession(scope, step)
      .catch((error: unknown) => this.#guard(() => rethrow(error)))
      .finally(() => {
        this.#isDeciding = false;
        this.#catchUp();
        this.#resume();
      });
  }

  #toSessionInfo(request: StreamRequest, type: SessionInfo['type']): SessionInfo {
    const { app, stream, param, tcUrl, pageUrl, userAgent } = request;
    const info: SessionInfo = {
      clientId: randomId(8),
      type,
      ip: this.#ip,
      // Only the default vhost exists. Like SRS, treats an unknown vhost as the default vhost.
      vhost: defaultVhost,
      app,
      stream,
      param,
      tcUrl,
      pageUrl,
      ...userAgentOf(userAgent),
    };
    this.#info = info;
    return info;
  }

  async #admitPublisher(info: SessionInfo): Promise<void> {
    const options = this.#options;
    const owner = {
      close: (reason: StreamEndReason) => this.close(reason),
      readNow: () => this.#reads.readNow(),
      stats: () => ({ detail: { ...this.#publisher?.leftOut } }),
    };
    const result = await admitPublisher(info, owner, options);
    if (!result.ok) return this.#refuse(result);
    this.#publisher = new RtmpPublisher(result.publication, { log: this.#log, clock: options.clock });
    options.onUse(true);
    if (this.#isClosing) return this.#endRoles('error'); // the peer disconnected during the authorization
    this.#log.info(sessionFields(info), 'publish started');
    this.#guard(() => this.#connection.acceptPublish(options.clock()));
  }

  async #admitPlayer(info: SessionInfo): Promise<void> {
    const { gate, clock, broadcasts, onUse } = this.#options;
    const admission = await gate.admit(info, playTerms);
    if (!admission.ok) return this.#refuse(admission);
    const { play } = admission;
    this.#guard(() => this.#connection.acceptPlay(clock()));
    if (this.#isClosing || this.#connection.state !== 'playing') return play.end();
    onUse(true);
    const onEnd = (reason: StreamEndReason): void => this.close(reason);
    this.#player = new RtmpPlayer(play, { broadcasts, socket: this.#socket, now: clock(), onEnd });
  }

  /** The gate has already reported the refusal. */
  #refuse({ reason, detail }: { reason: PlayRefusal['reason']; detail: string }): void {
    if (this.#isClosing) return;
    this.#connection.refusePublish(publishRefusal(reason, detail));
    this.#connection.refusePlay(playRefusal(reason, detail));
    this.#closeSocket();
  }

  /**
   * Ends the session after a timeout or an error of the peer. Reports the peer's last request, so that the operator can identify the
   * encoder.
   */
  #fail(reason: RefusalReason, detail: string): void {
    if (this.#isClosing) return;
    this.#report(this.#info, reason, detail);
    this.#connection.endPublish(publishRefusal(reason, detail));
    this.#connection.endPlay(playRefusal(reason, detail));
    this.#endRoles('error');
    this.#closeSocket();
  }

  #report(info: SessionInfo | undefined, reason: RefusalReason, detail: string): void {
    if (info) this.#options.refusals.report(info, reason, detail);
    else this.#log.warn({ ip: this.#ip, protocol: 'rtmp', reason, detail }, 'RTMP session refused');
  }

  #endRoles(reason: StreamEndReason): void {
    const info = this.#info;
    const publisher = this.#publisher;
    const player = this.#player;
    this.#publisher = undefined;
    this.#player = undefined;
    if (info === undefined || (publisher ?? player) === undefined) return;
    if (!this.#isClosing) this.#options.onUse(false);
    player?.end(reason);
    if (!publisher) return;
    publisher.end(reason);
    this.#log.info({ ...sessionFields(info), reason }, 'publish ended');
    this.#options.ports.onUnpublish(info);
  }

  /** Sends pending data and a FIN. The peer has `lingerMs` to read the data. */
  #closeSocket(): void {
    if (this.#isClosing) return;
    this.#connection.close();
    this.#flushResponses();
    this.#destroyAtMs = this.#options.clock() + lingerMs;
    this.#socket.end();
    this.#socket.resume(); // so that the peer's FIN is seen
  }
}

function rethrow(error: unknown): never {
  throw error;
}
