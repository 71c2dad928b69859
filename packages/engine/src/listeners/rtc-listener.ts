// WebRTC sessions of the engine: admits publishers (WHIP) and players (WHEP), and ends sessions with a silent peer.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { SdpTransportError } from '@srs-stack/media/protocols/sdp/sdp-transport.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { SharedOutputs } from '../egress/shared-outputs.ts';
import { playWarmUp } from '../egress/whep/warm-up-play.ts';
import { WhepBroadcast } from '../egress/whep/whep-broadcast.ts';
import type { EngineConfig, RtcConfig } from '../engine-config.ts';
import type { StreamHub } from '../hub/stream-hub.ts';
import type { EngineLogger, EnginePorts } from '../ports.ts';
import { type RefusalReason, type SessionInfo, userAgentOf } from '../session-info.ts';
import type { PlayGate, PlayRefusal } from '../sessions/gate/play-gate.ts';
import type { Refusals } from '../sessions/gate/refusals.ts';
import { blockingSessions } from '../sessions/rtc/rtc-blocking-sessions.ts';
import { maxRtcPeers, maxUnreadBodies, maxUnreadBodiesPerAddress } from '../sessions/rtc/rtc-limits.ts';
import { RtcPlaces } from '../sessions/rtc/rtc-places.ts';
import { planSending, RtcPlaySession } from '../sessions/rtc/rtc-play-session.ts';
import { RtcPublishSession } from '../sessions/rtc/rtc-publish-session.ts';
import type { RtcOpened, RtcRefusal, RtcSession, RtcSessionContext } from '../sessions/rtc/rtc-session.ts';
import {
  handleRtcRequest,
  type RtcRequest,
  type RtcResult,
  type RtcSessionHost,
} from '../sessions/rtc/rtc-signalling.ts';
import { etagOf } from '../sessions/rtc/rtc-trickle.ts';
import { attendedClock } from '../util/attended-clock.ts';
import { randomId } from '../util/random-id.ts';
import { RestingTicker } from '../util/resting-ticker.ts';
import { UnusedTable } from '../util/unused-table.ts';
import type { RtcTransport } from '../webrtc-transport/webrtc-transport.ts';

/** Number of consecutive warm-up sessions. A single session does not compile all code. */
const warmUpSessions = 3;

export interface RtcListenerOptions {
  readonly hub: StreamHub;
  readonly ports: EnginePorts;
  readonly rtc: RtcConfig;
  readonly gopCache: EngineConfig['gopCache'];
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
  readonly gate: PlayGate;
  readonly refusals: Refusals;
  /** Memory of the machine or limit of the process, whichever is lower, bytes. */
  readonly memoryBytes: number;
}

const statusOf: Partial<Record<PlayRefusal['reason'], number>> = {
  'publish-secret-wrong': 401,
  'stream-busy': 409,
  'name-invalid': 400,
  'protocol-error': 400,
  'control-plane-away': 503,
  'limit-reached': 503,
  'switched-off': 503,
  draining: 503,
  'codec-unsupported': 406,
  'link-missing': 401,
  'link-expired': 401,
  'password-missing': 401,
};

export class RtcListener implements RtcSessionHost {
  /** Request bodies in transfer. When the table is full, a new request replaces the oldest. */
  readonly unreadBodies = new UnusedTable<AbortController>({
    maxEntries: maxUnreadBodies,
    maxPerAddress: maxUnreadBodiesPerAddress,
    onEvict: (reading) => reading.abort(),
  });
  readonly #options: RtcListenerOptions;
  readonly #broadcasts: SharedOutputs<WhepBroadcast>;
  readonly #sessions = new Map<string, { session: RtcSession; token: string; etag: string }>();
  readonly #maxPeers: number;
  readonly #places: RtcPlaces;
  #transport: RtcTransport | undefined;
  /** Timers by tick interval. A timer runs only while sessions need its interval, so that an idle server rarely wakes up. */
  readonly #tickers = new Map<number, RestingTicker>();
  /** Clock for timeouts of silent peers. Omits stalls of the process, because a stalled process receives nothing. */
  readonly #attended: () => number;

  constructor(options: RtcListenerOptions) {
    this.#options = options;
    const { hub, gopCache, clock, wallClock } = options;
    this.#attended = attendedClock(clock);
    this.#maxPeers = maxRtcPeers(options.memoryBytes);
    this.#places = new RtcPlaces(this.#maxPeers);
    const create = () => new WhepBroadcast({ maxHistoryBytes: gopCache.maxBytes, wallClock });
    this.#broadcasts = new SharedOutputs(hub, create);
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Binds the UDP port and returns it, or 0 for a port range. Rejects with the system error. */
  async listen(): Promise<number> {
    // Dynamic import: native code is loaded only if WebRTC is enabled.
    const { openRtcTransport } = await import('../webrtc-transport/open-rtc-transport.ts');
    this.#transport = await openRtcTransport(this.#options.rtc, this.#options.ports.log);
    return this.#transport.port;
  }

  /** Runs warm-up sessions, so that the code is compiled before the first viewers. Never rejects. */
  async warmUp(): Promise<void> {
    const { clock } = this.#options;
    try {
      for (let guest = 0; guest < warmUpSessions; guest++)
        await this.#transport?.warmUp?.({
          plan: (offer) => planSending(offer, undefined),
          play: ({ tracks }) => playWarmUp(tracks, clock()),
        });
    } catch (error) {
      this.log.debug({ err: error }, 'WebRTC warm-up failed');
    }
  }

  /** Serves `/rtc/v1/…`; returns false for other paths. @param ip address of the peer. */
  handleRequest(request: IncomingMessage, response: ServerResponse, ip: string): boolean {
    return handleRtcRequest(this, request, response, ip);
  }

  get log(): EngineLogger {
    return this.#options.ports.log;
  }

  async open(request: RtcRequest, left: AbortSignal): Promise<RtcResult | 'gone'> {
    const info = toSessionInfo(request);
    if (!this.#transport) return this.#refuse(info, 'limit-reached', 'WebRTC is switched off');
    if (!this.#places.mayHaveRoom) return toResult(this.#refuseForLimit(info));
    const replaced = new AbortController();
    const place = this.#places.take(info.ip, () => replaced.abort());
    const sessionId = randomId(12);
    const token = randomBytes(8).toString('hex');
    const stop = AbortSignal.any([left, replaced.signal]);
    const opening = this.#openSession(request, info, {
      left: stop,
      onAdmitted: () => (place.admit() ? undefined : this.#refuseForLimit(info)),
      onProven: place.keep,
      onEnd: () => {
        place.free();
        this.#sessions.delete(sessionId);
      },
    });
    const first = await Promise.race([opening.then((late) => closeIfLate(late, stop)), aborted(stop)]).catch(
      (error) => {
        place.free();
        throw error;
      },
    );
    const opened = closeIfLate(first, stop);
    if (opened === 'gone') {
      place.free();
      return left.aborted
        ? 'gone'
        : this.#refuse(info, 'limit-reached', 'too many WebRTC sessions that have not connected yet');
    }
    if (!opened.ok) {
      place.free();
      return toResult(opened);
    }
    place.onCrowdedOut(() => opened.session.close('timeout'));
    // Meanwhile the transport or an operator may have ended the session.
    const etag = etagOf(request.offer);
    if (!place.isFree()) this.#sessions.set(sessionId, { session: opened.session, token, etag });
    this.#wakeTicker(opened.session.tickIntervalMs);
    return { ok: true, answer: opened.answer, sessionId, token, etag };
  }

  end(sessionId: string, token: string): 'ended' | 'unknown' | 'wrong-token' {
    const entry = this.#sessions.get(sessionId);
    if (!entry) return 'unknown';
    if (entry.token !== token) return 'wrong-token';
    entry.session.close('unpublished');
    return 'ended';
  }

  etag(sessionId: string, token: string): string | 'unknown' | 'wrong-token' {
    const entry = this.#sessions.get(sessionId);
    if (!entry) return 'unknown';
    return entry.token === token ? entry.etag : 'wrong-token';
  }

  /** Ends every session and releases the port. Idempotent. */
  close(): void {
    for (const ticker of this.#tickers.values()) ticker.close();
    this.#tickers.clear();
    for (const { session } of [...this.#sessions.values()]) session.close('shutdown');
    this.#transport?.close();
    this.#transport = undefined;
  }

  async #openSession(
    request: RtcRequest,
    info: SessionInfo,
    events: Pick<RtcSessionContext, 'left' | 'onAdmitted' | 'onProven' | 'onEnd'>,
  ): Promise<RtcOpened> {
    const { hub, ports, gate, refusals, clock, rtc } = this.#options;
    const transport = this.#transport;
    const broadcasts = this.#broadcasts;
    if (!transport) return 'gone';
    const candidates = [...new Set([...request.candidates, ...rtc.candidates])];
    const attended = this.#attended;
    const context = { hub, ports, gate, refusals, clock, attended, candidates, transport, broadcasts, ...events };
    try {
      if (request.action === 'publish') return await RtcPublishSession.open(request.offer, info, context);
      return await RtcPlaySession.open(request.offer, info, context);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const reason = error instanceof SdpTransportError ? 'protocol-error' : 'codec-unsupported';
      refusals.report(info, reason, error.reason);
      return { ok: false, reason, detail: error.reason };
    }
  }

  #refuseForLimit(info: SessionInfo): RtcRefusal {
    const reason = 'limit-reached';
    const detail = `all ${this.#maxPeers} WebRTC sessions are in use`;
    this.#options.refusals.report(info, reason, detail);
    return { ok: false, reason, detail };
  }

  #refuse(info: SessionInfo, reason: RefusalReason, detail: string): RtcResult {
    this.#options.refusals.report(info, reason, detail);
    return toResult({ reason, detail });
  }

  #wakeTicker(everyMs: number): void {
    let ticker = this.#tickers.get(everyMs);
    if (!ticker) {
      ticker = new RestingTicker({ everyMs, tick: () => this.#tick(everyMs) });
      this.#tickers.set(everyMs, ticker);
    }
    ticker.wake();
  }

  /** Ticks all sessions with this interval; returns false if there are none. */
  #tick(everyMs: number): boolean {
    const now = this.#attended();
    const own = [...this.#sessions.values()].filter(({ session }) => session.tickIntervalMs === everyMs);
    for (const { session } of own) {
      if (!session.tick(now)) session.close('timeout');
    }
    this.#endBlocking(now);
    return own.length > 0;
  }

  #endBlocking(now: number): void {
    if (![...this.#sessions.values()].some(({ session }) => session.isConnecting)) return; // no other session is blocked
    const states = [...this.#sessions.values()].map(({ session }) => ({ session, ...session.stateAt(now) }));
    for (const { session } of blockingSessions(states)) session.close('timeout');
  }
}

function toResult({ reason, detail, codec }: Pick<PlayRefusal, 'reason' | 'detail' | 'codec'>): RtcResult {
  const refused = { ok: false, status: statusOf[reason] ?? 403, name: reason, message: detail } as const;
  return codec === undefined ? refused : { ...refused, codec };
}

/** Closes a session that was opened after its request ended or another peer replaced it. */
function closeIfLate(opened: RtcOpened, stop: AbortSignal): RtcOpened {
  if (!stop.aborted) return opened;
  if (opened !== 'gone' && opened.ok) opened.session.close('error');
  return 'gone';
}

function aborted(signal: AbortSignal): Promise<'gone'> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('gone'), { once: true }));
}

function toSessionInfo({ action, app, stream, param, ip, pageUrl, userAgent }: RtcRequest): SessionInfo {
  return {
    clientId: randomId(8),
    type: action === 'publish' ? 'rtc-publish' : 'rtc-play',
    ip,
    vhost: defaultVhost,
    app,
    stream,
    param,
    tcUrl: `webrtc://${defaultVhost}/${app}`,
    pageUrl,
    ...userAgentOf(userAgent),
  };
}
