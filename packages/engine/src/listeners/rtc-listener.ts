// WebRTC sessions of the engine: admits publishers (WHIP) and players (WHEP), keeps the table of sessions, ends the dead.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { StreamOutputs } from '../egress/stream-outputs.ts';
import { WhepBroadcast } from '../egress/whep/whep-broadcast.ts';
import type { EngineConfig, RtcConfig } from '../engine-config.ts';
import type { StreamHub } from '../hub/stream-hub.ts';
import type { EngineLogger, EnginePorts } from '../ports.ts';
import { type Refusal, type RefusalReason, type SessionInfo, userAgentOf } from '../session-info.ts';
import { randomId } from '../util/random-id.ts';
import { UnusedTable } from '../util/unused-table.ts';
import type { RtcTransport } from '../webrtc-transport/webrtc-transport.ts';
import { blockingSessions, type RtcSessionState } from './rtc-blocking-sessions.ts';
import { maxRtcPeers, maxUnjoinedPerAddress, maxUnreadBodies, maxUnreadBodiesPerAddress } from './rtc-limits.ts';
import { RtcPlaySession } from './rtc-play-session.ts';
import { RtcPublishSession } from './rtc-publish-session.ts';
import { handleRtcRequest, type RtcRequest, type RtcResult, type RtcSessionHost } from './rtc-signalling.ts';

/** How often gaps, keyframe requests and the dead are looked at, milliseconds. */
const tickIntervalMs = 50;
/** A tick this long after the one before means that the process stood still, milliseconds. */
const lateTickMs = 500;

export interface RtcListenerOptions {
  readonly hub: StreamHub;
  readonly ports: EnginePorts;
  readonly rtc: RtcConfig;
  readonly gopCache: EngineConfig['gopCache'];
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
  readonly onRefusal: (refusal: Refusal) => void;
  /** Of the machine or of this process, whichever is less; bytes. */
  readonly memoryBytes: number;
}

/** A peer that has not connected yet. */
interface Unjoined {
  end(): void;
}

/** What the table needs of a session. */
export interface RtcSession {
  readonly isConnecting: boolean;
  stateAt(now: number): RtcSessionState;
  /** False when the peer is gone. */
  tick(now: number): boolean;
  /** Idempotent; calls `onEnd` of its context once. */
  close(): void;
}

/** What both kinds of session work with. */
export interface RtcSessionContext {
  readonly hub: StreamHub;
  readonly ports: EnginePorts;
  readonly clock: () => number;
  readonly transport: RtcTransport;
  readonly broadcasts: StreamOutputs<WhepBroadcast>;
  /** Addresses for the answer's candidate lines. */
  readonly candidates: readonly string[];
  /** Aborted when the peer hung up before it was answered, or made room for a newer one: nothing is to be opened for it. */
  readonly left: AbortSignal;
  /** The peer is connected, or has shown a secret: it no longer makes room for others. */
  readonly onProven: () => void;
  readonly onEnd: () => void;
}

export type RtcOpened =
  | { ok: true; answer: string; session: RtcSession }
  | { ok: false; reason: RefusalReason; detail: string }
  | 'gone';

const statusOf: Partial<Record<RefusalReason, number>> = {
  'publish-secret-wrong': 401,
  'stream-busy': 409,
  'name-invalid': 400,
  'protocol-error': 400,
  'control-plane-away': 503,
  'limit-reached': 503,
  'switched-off': 503,
  'codec-unsupported': 406,
};

export class RtcListener implements RtcSessionHost {
  /** Bodies of calls that are on their way: the oldest make room. */
  readonly unreadBodies = new UnusedTable<AbortController>({
    maxEntries: maxUnreadBodies,
    maxPerAddress: maxUnreadBodiesPerAddress,
    onEvict: (reading) => reading.abort(),
  });
  private readonly options: RtcListenerOptions;
  private readonly broadcasts: StreamOutputs<WhepBroadcast>;
  private readonly sessions = new Map<string, { session: RtcSession; token: string }>();
  private readonly maxPeers: number;
  /** From the call on; bounded with the joined ones, in `makeRoom`. */
  private readonly unjoined = new UnusedTable<Unjoined>({
    maxPerAddress: maxUnjoinedPerAddress,
    onEvict: (peer) => peer.end(),
  });
  /** Peers that do not make room for others. */
  private proven = 0;
  private transport: RtcTransport | undefined;
  private ticker: NodeJS.Timeout | undefined;
  private tickedMs = 0;

  constructor(options: RtcListenerOptions) {
    this.options = options;
    const { hub, gopCache, wallClock } = options;
    this.maxPeers = maxRtcPeers(options.memoryBytes);
    const create = () => new WhepBroadcast({ maxHistoryBytes: gopCache.maxBytes, wallClock });
    this.broadcasts = new StreamOutputs(hub, create);
  }

  /** Peers that are connecting or connected. */
  get sessionCount(): number {
    return this.sessions.size;
  }

  /** Binds the UDP port and returns it (0 with a port range); rejects with the system error. */
  async listen(): Promise<number> {
    // The native library is loaded only where WebRTC is wanted.
    const { createNodeDatachannelTransport } = await import('../webrtc-transport/node-datachannel-transport.ts');
    this.transport = await createNodeDatachannelTransport(this.options.rtc, this.options.ports.log);
    this.ticker = setInterval(() => this.tick(), tickIntervalMs);
    return this.transport.port;
  }

  /** Serves `/rtc/v1/…`; false when the path is another one. `ip` is the address of the peer. */
  handleRequest(request: IncomingMessage, response: ServerResponse, ip: string): boolean {
    return handleRtcRequest(this, request, response, ip);
  }

  get log(): EngineLogger {
    return this.options.ports.log;
  }

  async open(request: RtcRequest, left: AbortSignal): Promise<RtcResult | 'gone'> {
    const info = toSessionInfo(request);
    if (!this.transport) return this.refuse(info, 'limit-reached', 'WebRTC is switched off');
    if (!this.makeRoom()) return this.refuse(info, 'limit-reached', `all ${this.maxPeers} WebRTC sessions are in use`);
    const crowdedOut = new AbortController();
    const place = this.takePlace(info.ip, () => crowdedOut.abort());
    const sessionId = randomId(12);
    const token = randomBytes(8).toString('hex');
    const stop = AbortSignal.any([left, crowdedOut.signal]);
    const opening = this.openSession(request, info, {
      left: stop,
      onProven: place.keep,
      onEnd: () => {
        place.free();
        this.sessions.delete(sessionId);
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
      return left.aborted ? 'gone' : this.refuse(info, 'limit-reached', 'too many peers that did not connect');
    }
    if (!opened.ok) {
      place.free();
      return this.refuse(info, opened.reason, opened.detail);
    }
    place.onCrowdedOut(() => opened.session.close());
    // The library or an operator may have ended it meanwhile.
    if (!place.isFree()) this.sessions.set(sessionId, { session: opened.session, token });
    return { ok: true, answer: opened.answer, sessionId, token };
  }

  end(sessionId: string, token: string): 'ended' | 'unknown' | 'wrong-token' {
    const entry = this.sessions.get(sessionId);
    if (!entry) return 'unknown';
    if (entry.token !== token) return 'wrong-token';
    entry.session.close();
    return 'ended';
  }

  /** Ends every session and releases the port. Idempotent. */
  close(): void {
    clearInterval(this.ticker);
    for (const { session } of [...this.sessions.values()]) session.close();
    this.transport?.close();
    this.transport = undefined;
  }

  /** False when every peer there may be is in use: those that are not go, the oldest first. */
  private makeRoom(): boolean {
    return this.proven + this.unjoined.size < this.maxPeers || this.unjoined.evictOldest();
  }

  /** Counts a peer: as unjoined until it is kept, then as one that stays, until it is freed. */
  private takePlace(ip: string, onCrowdedOut: () => void) {
    const entry: Unjoined = { end: onCrowdedOut };
    let state: 'unjoined' | 'kept' | 'free' = 'unjoined';
    this.unjoined.add(entry, ip);
    return {
      isFree: () => state === 'free',
      onCrowdedOut: (end: () => void) => {
        entry.end = end;
      },
      keep: () => {
        if (state !== 'unjoined') return;
        state = 'kept';
        this.unjoined.remove(entry);
        this.proven++;
      },
      free: () => {
        if (state === 'kept') this.proven--;
        state = 'free';
        this.unjoined.remove(entry);
      },
    };
  }

  private async openSession(
    request: RtcRequest,
    info: SessionInfo,
    events: Pick<RtcSessionContext, 'left' | 'onProven' | 'onEnd'>,
  ): Promise<RtcOpened> {
    const { hub, ports, clock, rtc } = this.options;
    const { transport, broadcasts } = this;
    if (!transport) return 'gone';
    const candidates = [...new Set([...request.candidates, ...rtc.candidates])];
    const context = { hub, ports, clock, candidates, transport, broadcasts, ...events };
    try {
      if (request.action === 'publish') return await RtcPublishSession.open(request.offer, info, context);
      return await RtcPlaySession.open(request.offer, info, context);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return { ok: false, reason: 'codec-unsupported', detail: error.reason };
    }
  }

  private refuse(info: SessionInfo, reason: RefusalReason, detail: string): RtcResult {
    const { ip, app, stream, type } = info;
    const action = type === 'rtc-publish' ? 'publish' : 'play';
    this.options.ports.log.warn({ ip, app, stream, action, reason, detail }, 'WebRTC session refused');
    this.options.onRefusal({
      atMs: this.options.wallClock(),
      protocol: 'rtc',
      action,
      ip,
      app,
      stream,
      reason,
      detail,
    });
    return { ok: false, status: statusOf[reason] ?? 403, name: reason, message: detail };
  }

  private tick(): void {
    const now = this.options.clock();
    for (const { session } of [...this.sessions.values()]) {
      if (!session.tick(now)) session.close();
    }
    // After a stall nobody has been heard, dead or not: what they sent meanwhile is read before anybody is judged.
    const isLate = now - this.tickedMs > lateTickMs;
    this.tickedMs = now;
    if (isLate) return;
    if (![...this.sessions.values()].some(({ session }) => session.isConnecting)) return; // nobody is kept from anything
    const states = [...this.sessions.values()].map(({ session }) => ({ session, ...session.stateAt(now) }));
    for (const { session } of blockingSessions(states)) session.close();
  }
}

/** Whoever it was opened for is gone. */
function closeIfLate(opened: RtcOpened, stop: AbortSignal): RtcOpened {
  if (!stop.aborted) return opened;
  if (opened !== 'gone' && opened.ok) opened.session.close();
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
