// Sessions of HLS viewers by session id (`hls_ctx`). The first playlist request starts a session. Inactivity, a kick or replacement by
// another viewer ends the session.
import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { PlayerHandle } from '../../hub/stream-hub.ts';
import type { EnginePorts } from '../../ports.ts';
import type { SessionInfo } from '../../session-info.ts';
import { UnusedTable } from '../../util/unused-table.ts';
import type { AdmittedPlay } from '../gate/admitted-play.ts';
import type { PlayAdmission, PlayGate, PlayTerms } from '../gate/play-gate.ts';
import { keptSession, textLength } from './kept-session.ts';
import { SessionShares } from './session-shares.ts';

export interface HlsSession {
  readonly context: string;
  readonly info: SessionInfo;
  readonly admission: Promise<PlayAdmission>;
  /** Set after the admission, before `admission` resolves for other callers. */
  play: AdmittedPlay | undefined;
  /** Whether a playlist was sent. */
  isAdmitted: boolean;
  isKicked: boolean;
  /** Whether the session was removed: inactive, replaced, refused or shut down. Its id is then unknown. */
  hasEnded: boolean;
  /** Whether the viewer has sent a second request with its session id. Players do; clients that only create sessions do not. */
  hasReturned: boolean;
  lastRequestMs: number;
  /** A viewer without a request for this time does not count, milliseconds. */
  countedForMs: number;
  player: Pick<PlayerHandle, 'countSent' | 'close'> | undefined;
}

export interface HlsSessionsOptions {
  readonly gate: Pick<PlayGate, 'admit'>;
  readonly clock: () => number;
  readonly renditionOf?: EnginePorts['renditionOf'];
  /** Called when a session is added. The owner must then call `sweep` until `size` is 0. */
  readonly onWork?: () => void;
  /** Memory limit of all sessions, bytes; for tests. */
  readonly maxBytes?: number;
}

/** Memory per session, bytes, without the texts of its request. 4 KB were measured with 20,000 requests of a browser. */
const sessionBytes = 5 * 1024;
/** Maximum memory of all sessions, bytes: 25,000 viewers. */
const maxSessionBytes = 128 * 1024 * 1024;
/**
 * Share of one address group: 48 MB, enough for `maxPerAddress` usual sessions. Less than half, so that no group uses most of the memory.
 */
const groupShare = 3 / 8;
/**
 * Maximum number of sessions per address without a second request. Players send the second request after about one second. Enough for a
 * school class that joins simultaneously.
 */
export const maxUnusedPerAddress = 1_024;
/** Maximum number of sessions per address: 8,000 players behind one router or proxy. */
export const maxPerAddress = 8_192;
/** Maximum number of sessions that wait for the host's verdict. Above the limit, the oldest is replaced. A connection burst has fewer. */
const maxUndecided = 16_384;
/** Without a check of the media, because unsupported media is detected before a session starts. */
const liveTerms: PlayTerms = { waitsForPublisher: false, obstacleTo: () => undefined };
/** The rewind window is available without a publisher. */
const rewindTerms: PlayTerms = { ...liveTerms, waitsForPublisher: true };
/** Number of target durations for which a viewer counts after a request. A live player sends a request in each target duration. */
const countedTargetDurations = 3;
/** Minimum time that a viewer counts after a request, milliseconds, because players of short segments pause briefly too. */
const minCountedMs = 6_000;

export class HlsSessions {
  readonly #options: HlsSessionsOptions;
  readonly #sessions = new Map<string, HlsSession>();
  /** The counted session of each viewer. A viewer that switches renditions has several sessions with one id, but counts once. */
  readonly #counted = new Map<string, HlsSession>();
  /** Admitted viewers without a second request, oldest first. */
  readonly #held = new Set<HlsSession>();
  /** Sessions that wait for the host's verdict. They never replace admitted sessions. */
  readonly #undecided = new UnusedTable<HlsSession>({
    maxEntries: maxUndecided,
    maxPerAddress: maxUnusedPerAddress,
    onEvict: (session) => this.#end(session),
  });
  /** Admitted sessions. */
  readonly #shares: SessionShares<HlsSession>;

  constructor(options: HlsSessionsOptions) {
    this.#options = options;
    const { maxBytes = maxSessionBytes, clock } = options;
    this.#shares = new SessionShares({
      maxBytes,
      maxGroupBytes: maxBytes * groupShare,
      maxPerGroup: maxPerAddress,
      maxUnusedPerGroup: maxUnusedPerAddress,
      isIdle: ({ lastRequestMs }) => clock() - lastRequestMs >= minCountedMs,
      onEvict: (session) => this.#end(session),
    });
  }

  get size(): number {
    return this.#sessions.size;
  }

  find(info: Pick<SessionInfo, 'vhost' | 'app' | 'stream'>, context: string): HlsSession | undefined {
    return this.#sessions.get(keyOf(info, context));
  }

  get heldPlaces(): number {
    return this.#held.size;
  }

  makeRoom(): boolean {
    const [oldest] = this.#held;
    if (oldest) this.#end(oldest);
    return oldest !== undefined;
  }

  /**
   * Starts a session and calls the gate. At a limit, an admitted session replaces other sessions, or ends if no session can be replaced.
   * @param context unused session id. @param isRewound true for the rewind window, which needs no publisher.
   */
  begin(original: SessionInfo, context: string, isRewound = false): HlsSession {
    const info = keptSession(original);
    const session: HlsSession = {
      context,
      info,
      admission: this.#options.gate.admit(original, isRewound ? rewindTerms : liveTerms, info),
      play: undefined,
      isAdmitted: false,
      isKicked: false,
      hasEnded: false,
      hasReturned: false,
      lastRequestMs: this.#options.clock(),
      countedForMs: 0,
      player: undefined,
    };
    // Ignored here: the caller that awaits the admission handles the error.
    session.admission.then((admission) => this.#settle(session, admission)).catch(() => undefined);
    this.#sessions.set(keyOf(info, context), session);
    this.#options.onWork?.();
    this.#undecided.add(session, info.ip);
    return session;
  }

  /** Removes a session, so that the next request with its id calls the gate again. */
  forget(session: HlsSession): void {
    if (session.hasEnded) return;
    session.hasEnded = true;
    this.#held.delete(session);
    this.#forgetCounted(session);
    this.#sessions.delete(keyOf(session.info, session.context));
    this.#undecided.remove(session);
    this.#shares.release(session);
  }

  /**
   * Records a request of an admitted session. @param isReturn whether the request has the session id. Such a request makes the viewer
   * count.
   */
  touch(session: HlsSession, targetDurationMs: number, isReturn: boolean): void {
    if (session.hasEnded) return;
    session.isAdmitted = true;
    session.hasReturned ||= isReturn;
    if (session.hasReturned && !session.isKicked) this.#shares.use(session);
    session.lastRequestMs = this.#options.clock();
    session.countedForMs = Math.max(minCountedMs, countedTargetDurations * targetDurationMs);
    // A session without a second request does not count: the client is a probe, or a player that repeats its first request.
    if (session.isKicked || !session.hasReturned) return;
    this.#held.delete(session);
    this.#countAlone(session);
    session.player ??= session.play?.start({
      close: () => this.#kick(session),
      stats: () => ({ droppedFrames: 0, queuedBytes: 0 }),
    });
  }

  /** Stops counting inactive viewers. Ends sessions without a request for `idleMs`. */
  sweep(now: number, idleMs: number): void {
    for (const session of this.#sessions.values()) {
      const silentMs = now - session.lastRequestMs;
      if (silentMs >= Math.min(idleMs, session.countedForMs)) this.#stopCounting(session);
      if (silentMs >= idleMs) this.#end(session);
    }
  }

  close(): void {
    for (const session of [...this.#sessions.values()]) this.#end(session);
  }

  /** Keeps the session until its idle time is over. Until then, requests with its id get 404. */
  #kick(session: HlsSession): void {
    if (session.isKicked) return;
    session.isKicked = true;
    this.#held.delete(session);
    session.player = undefined;
    session.play?.end();
  }

  /** Counts only the rendition that the viewer has requested last. */
  #countAlone(session: HlsSession): void {
    const viewer = this.#viewerOf(session);
    const before = this.#counted.get(viewer);
    if (before === session) return;
    if (before) this.#stopCounting(before);
    this.#counted.set(viewer, session);
  }

  #forgetCounted(session: HlsSession): void {
    const viewer = this.#viewerOf(session);
    if (this.#counted.get(viewer) === session) this.#counted.delete(viewer);
  }

  #viewerOf({ info, context }: HlsSession): string {
    return keyOf({ ...info, stream: this.#options.renditionOf?.(info) ?? info.stream }, context);
  }

  #stopCounting(session: HlsSession): void {
    this.#held.delete(session);
    this.#forgetCounted(session);
    if (session.player === undefined) return;
    session.player.close();
    session.player = undefined;
    if (session.hasReturned) this.#shares.rest(session);
  }

  /** Ends the session. The host learns the end of every admitted session. A pending session ends when it is admitted. */
  #end(session: HlsSession): void {
    if (session.hasEnded) return;
    this.forget(session);
    session.player = undefined;
    session.play?.end();
  }

  #settle(session: HlsSession, admission: PlayAdmission): void {
    if (!admission.ok) return;
    session.play = admission.play;
    this.#undecided.remove(session);
    if (session.hasEnded) {
      admission.play.end();
      return;
    }
    const bytes = sessionBytes + textLength(session.info);
    if (this.#shares.take(session, session.info.ip, bytes)) this.#held.add(session);
    else this.#end(session);
  }
}

function keyOf(info: Pick<SessionInfo, 'vhost' | 'app' | 'stream'>, context: string): string {
  return `${toStreamUrl({ vhost: info.vhost, app: info.app, stream: info.stream })}?${context}`;
}
