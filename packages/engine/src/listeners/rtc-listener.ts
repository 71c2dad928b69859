// WebRTC sessions of the engine: admits publishers (WHIP) and players (WHEP), keeps the table of sessions, ends the dead.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamOutputs } from '../egress/stream-outputs.ts';
import { WhepBroadcast } from '../egress/whep/whep-broadcast.ts';
import type { EngineConfig, RtcConfig } from '../engine-config.ts';
import type { StreamHub } from '../hub/stream-hub.ts';
import { defaultVhost } from '../hub/stream-key.ts';
import type { EnginePorts } from '../ports.ts';
import { type Refusal, type RefusalReason, type SessionInfo, userAgentOf } from '../session-info.ts';
import { ProtocolError } from '../util/protocol-error.ts';
import { randomId } from '../util/random-id.ts';
import type { RtcTransport } from '../webrtc-transport/webrtc-transport.ts';
import { blockingSessions, type RtcSessionState } from './rtc-blocking-sessions.ts';
import { RtcPlaySession } from './rtc-play-session.ts';
import { RtcPublishSession } from './rtc-publish-session.ts';
import { handleRtcRequest, type RtcRequest, type RtcResult, type RtcSessionHost } from './rtc-signalling.ts';

/** Peers that are connecting or connected: ICE, DTLS and SRTP state of each is about 300 KB. */
const maxRtcSessions = 4000;
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
  readonly onEnd: () => void;
}

export type RtcOpened =
  | { ok: true; answer: string; session: RtcSession }
  | { ok: false; reason: RefusalReason; detail: string };

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
  private readonly options: RtcListenerOptions;
  private readonly broadcasts: StreamOutputs<WhepBroadcast>;
  private readonly sessions = new Map<string, { session: RtcSession; token: string }>();
  private transport: RtcTransport | undefined;
  private ticker: NodeJS.Timeout | undefined;
  private tickedMs = 0;

  constructor(options: RtcListenerOptions) {
    this.options = options;
    const { hub, gopCache, wallClock } = options;
    const create = () => new WhepBroadcast({ maxHistoryBytes: gopCache.maxBytes, wallClock });
    this.broadcasts = new StreamOutputs(hub, create);
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

  async open(request: RtcRequest): Promise<RtcResult> {
    const info = toSessionInfo(request);
    const sessionId = randomId(12);
    const token = randomBytes(8).toString('hex');
    const opened = await this.openSession(request, info, () => this.sessions.delete(sessionId));
    if (!opened.ok) return this.refuse(info, opened.reason, opened.detail);
    this.sessions.set(sessionId, { session: opened.session, token });
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

  private async openSession(request: RtcRequest, info: SessionInfo, onEnd: () => void): Promise<RtcOpened> {
    const { hub, ports, clock, rtc } = this.options;
    if (!this.transport) return { ok: false, reason: 'limit-reached', detail: 'WebRTC is switched off' };
    if (this.sessions.size >= maxRtcSessions) {
      return {
        ok: false,
        reason: 'limit-reached',
        detail: `the limit of ${maxRtcSessions} WebRTC sessions is reached`,
      };
    }
    const candidates = [...new Set([...request.candidates, ...rtc.candidates])];
    const context = { hub, ports, clock, candidates, onEnd, transport: this.transport, broadcasts: this.broadcasts };
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
