// One SRT caller: authorized by its stream id, then a publisher or a player.

import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { parseSrtAddress, type SrtAddress } from '@srs-stack/media/protocols/srt/srt-address.ts';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import {
  type ConnectionRequest,
  monotonicUs,
  type RejectReason,
  rejectReason,
  type SrtConnection,
} from '@srs-stack/srt';
import type { SharedOutputs } from '../../egress/shared-outputs.ts';
import { obstacleToSrt, type SrtBroadcast } from '../../egress/srt/srt-broadcast.ts';
import type { StreamHub } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import { type LeftOutMedia, remedyFor } from '../../ingest/left-out-media.ts';
import { TsPublisher } from '../../ingest/ts-publisher.ts';
import { loggedStreamId } from '../../logged-name.ts';
import type { EnginePorts } from '../../ports.ts';
import { type SessionInfo, sessionFields } from '../../session-info.ts';
import { inSession } from '../../session-scope.ts';
import { randomId } from '../../util/random-id.ts';
import type { AdmittedPlay } from '../gate/admitted-play.ts';
import type { PlayGate, PlayRefusal, PlayTerms } from '../gate/play-gate.ts';
import { admitPublisher } from '../gate/publish-gate.ts';
import type { Refusals } from '../gate/refusals.ts';
import { sparePriorityOf } from '../gate/spare-priority.ts';

export interface SrtSessionOptions {
  readonly hub: StreamHub;
  readonly ports: EnginePorts;
  readonly broadcasts: SharedOutputs<SrtBroadcast>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly gate: PlayGate;
  readonly refusals: Refusals;
  /** Call after data was passed to a connection, to run the timers of the connection. */
  readonly wake: () => void;
}

const playTerms: PlayTerms = { waitsForPublisher: false, obstacleTo: obstacleToSrt };

/** Rejection codes by reason (SRT access control guidelines). SRT clients display the code. */
const rejectOf: Partial<Record<PlayRefusal['reason'], RejectReason>> = {
  'stream-not-found': rejectReason.notFound,
  'publish-secret-wrong': rejectReason.unauthorized,
  'stream-busy': rejectReason.conflict,
  'name-invalid': rejectReason.badRequest,
  'protocol-error': rejectReason.badRequest,
  'callback-refused': rejectReason.forbidden,
  'control-plane-away': rejectReason.unavailable,
  'codec-unsupported': rejectReason.unsupportedMedia,
  'limit-reached': rejectReason.overload,
  'usage-limit': rejectReason.forbidden,
  'switched-off': rejectReason.unavailable,
  draining: rejectReason.unavailable,
  'link-missing': rejectReason.unauthorized,
  'password-missing': rejectReason.unauthorized,
  'link-expired': rejectReason.unauthorized,
  'link-wrong': rejectReason.forbidden,
};

/** Admits or refuses one caller. Never rejects. */
export async function admitSrtCaller(request: ConnectionRequest, options: SrtSessionOptions): Promise<void> {
  const ip = plainAddress(request.remote.address);
  try {
    const address = parseSrtAddress(request.streamId);
    const isPublisher = address.mode === 'publish' || (address.mode === 'unnamed' && sends(address, options.gate));
    const session: SessionInfo = {
      clientId: randomId(8),
      type: isPublisher ? 'srt-publish' : 'srt-play',
      ip,
      vhost: address.vhost,
      app: address.app,
      stream: address.stream,
      param: address.param,
      tcUrl: `srt://${address.vhost}/${address.app}`,
      pageUrl: '',
    };
    const caller = new SrtCallerSession(request, session, options);
    await inSession(caller, () => (isPublisher ? caller.publish() : caller.play(address.mode === 'unnamed')));
  } catch (error) {
    if (!(error instanceof ProtocolError)) options.ports.log.error({ err: error, ip }, 'SRT session failed');
    const detail = error instanceof ProtocolError ? error.reason : 'internal error';
    options.ports.log.warn({ ip, streamId: loggedStreamId(request.streamId), detail }, 'SRT caller refused');
    const unnamed = { app: '', stream: '', action: 'play' } as const;
    options.refusals.record({ ...unnamed, protocol: 'srt', ip, reason: 'protocol-error', detail });
    request.reject(rejectReason.badRequest, monotonicUs());
  }
}

/**
 * Whether a caller without a mode is an encoder. An encoder has a secret in its stream id. If the stream has a publisher, only a spare
 * encoder counts as an encoder.
 */
function sends(address: SrtAddress, gate: Pick<PlayGate, 'exists'>): boolean {
  if (!/(^|&)secret=./.test(address.param)) return false;
  return sparePriorityOf({ type: 'srt-publish', param: address.param }) !== undefined || !gate.exists(address);
}

class SrtCallerSession {
  readonly #request: ConnectionRequest;
  readonly #session: SessionInfo;
  readonly #options: SrtSessionOptions;
  #connection: SrtConnection | undefined;

  constructor(request: ConnectionRequest, session: SessionInfo, options: SrtSessionOptions) {
    this.#request = request;
    this.#session = session;
    this.#options = options;
  }

  get fields(): object {
    return this.#logFields();
  }

  end(): void {
    if (this.#connection) this.#close();
    else this.#request.reject(rejectReason.badRequest, monotonicUs());
  }

  async publish(): Promise<void> {
    const { hub, ports, refusals, clock } = this.#options;
    let publisher: TsPublisher | undefined;
    const owner = {
      close: () => this.#close(),
      stats: () => ({ detail: { ...this.#stats().detail, ...publisher?.leftOut } }),
    };
    const result = await admitPublisher(this.#session, owner, { hub, ports, refusals, clock });
    if (!result.ok) {
      this.#reject(result.reason);
      return;
    }
    const current = new TsPublisher(result.publication, (media) => this.#warnLeftOut(media));
    publisher = current;
    const end = (reason: StreamEndReason): void => {
      current.end(reason);
      ports.onUnpublish(this.#session);
      ports.log.info({ ...this.#logFields(), reason }, 'publish ended');
    };
    this.#connection = this.#request.accept(
      {
        onPayload: (payload) => current.handlePayload(payload),
        onLoss: (packets) => current.handleLoss(packets),
        onClosed: (reason) => end(reason === 'peer-closed' ? 'unpublished' : 'error'),
      },
      monotonicUs(),
    );
    if (this.#connection) ports.log.info(this.#logFields(), 'publish started');
    else end('error');
  }

  /**
   * `mayBeEncoder`: the caller has no mode and counts as a player. If such a caller sends media, the connection is closed: the caller is an
   * encoder, which can reconnect when the stream has no publisher.
   */
  async play(mayBeEncoder: boolean): Promise<void> {
    const admission = await this.#options.gate.admit(this.#session, playTerms);
    if (admission.ok) this.#startPlaying(admission.play, mayBeEncoder);
    else this.#reject(admission.reason);
  }

  #startPlaying(play: AdmittedPlay, mayBeEncoder: boolean): void {
    const { broadcasts, wake } = this.#options;
    let leave = (): void => play.end();
    const onPayload = (): void => {
      if (mayBeEncoder) this.#close();
    };
    const connection = this.#request.accept({ onPayload, onClosed: () => leave() }, monotonicUs());
    if (!connection) {
      leave();
      return;
    }
    this.#connection = connection;
    let dropped = 0;
    const player = play.start({
      close: () => this.#close(),
      stats: () => ({ droppedFrames: dropped, queuedBytes: connection.waitingPackets * 1316, ...this.#stats() }),
    });
    const viewer = {
      send: (payload: Buffer): void => {
        if (connection.send(payload, monotonicUs())) player.countSent(payload.length);
        else dropped++;
        wake();
      },
      onStreamEnd: () => this.#close(),
    };
    const broadcast = broadcasts.of(player.stream);
    leave = () => {
      broadcast.removeViewer(viewer);
      broadcasts.release(player.stream, broadcast);
      play.end();
    };
    broadcast.addViewer(viewer);
  }

  /** The gate has already reported the refusal. */
  #reject(reason: PlayRefusal['reason']): void {
    this.#request.reject(rejectOf[reason] ?? rejectReason.forbidden, monotonicUs());
  }

  #warnLeftOut(media: LeftOutMedia): void {
    if (Object.keys(media).length === 0) return;
    const fields = { ...this.#logFields(), ...media, remedy: remedyFor(media) };
    this.#options.ports.log.warn(fields, 'media in an unsupported format from the encoder is dropped');
  }

  #close(): void {
    this.#connection?.close(monotonicUs());
  }

  #stats(): { detail: Readonly<Record<string, number>> } {
    const stats = this.#connection?.stats(monotonicUs());
    if (!stats) return { detail: {} };
    const { rttMs, lostPackets, retransmittedPackets, droppedPackets, flightPackets, latencyMs } = stats;
    return {
      detail: {
        rttMs: Math.round(rttMs * 10) / 10,
        latencyMs,
        lostPackets,
        recoveredPackets: stats.recoveredPackets,
        retransmittedPackets,
        droppedPackets,
        flightPackets,
        receivingBitrateBps: Math.round(stats.receivingBitrateBps),
        sendingBitrateBps: Math.round(stats.sendingBitrateBps),
      },
    };
  }

  #logFields(): object {
    return { ...sessionFields(this.#session), encrypted: this.#request.isEncrypted };
  }
}
