// Viewers of HLS: a session per context id (`hls_ctx`), begun by the first playlist request, ended by silence, a kick, or
// because others came after it.
import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { EnginePorts, Verdict } from '../../ports.ts';
import type { SessionInfo } from '../../session-info.ts';
import { UnusedTable } from '../../util/unused-table.ts';

/** How a viewer is counted and kicked; the hub gives it. */
interface HlsPlayerHandle {
  countSent(bytes: number): void;
  close(): void;
}

export interface HlsPlayers {
  addPlayer(
    session: SessionInfo,
    owner: { close(): void; stats(): { droppedFrames: number; queuedBytes: number } },
  ): HlsPlayerHandle;
}

export interface HlsSession {
  readonly context: string;
  readonly info: SessionInfo;
  readonly verdict: Promise<Verdict>;
  isAdmitted: boolean;
  isKicked: boolean;
  /** Ended by silence, or to make room: its id is as good as never heard of. */
  hasEnded: boolean;
  /** It asked again under its own id, as players do and inventors of ids need not. */
  hasReturned: boolean;
  lastRequestMs: number;
  /** Idle time after which the viewer no longer counts, milliseconds. */
  countedForMs: number;
  player: HlsPlayerHandle | undefined;
}

export interface HlsSessionsOptions {
  readonly players: HlsPlayers;
  readonly ports: Pick<EnginePorts, 'authorizePlay' | 'onStop'>;
  readonly clock: () => number;
  /** Memory all sessions may take, bytes; for tests. */
  readonly maxBytes?: number;
}

/**
 * Memory of one session, bytes, with its entries in the tables of viewers: 4 KB of resident memory each were measured for 20,000
 * requests of a browser. What the request itself says is added, twice because it travels on to callbacks.
 */
const sessionBytes = 5 * 1024;
/** Memory of all sessions, bytes: 25,000 viewers. */
const maxSessionBytes = 128 * 1024 * 1024;
/** Sessions of one address whose player has not come back yet: a school whose lesson begins. Each takes a second. */
export const maxUnusedPerAddress = 1_024;
/** Sessions of one address: 8,000 players behind one router or one proxy. */
export const maxPerAddress = 8_192;
/** A viewer is counted for this many target durations after a request: a live player asks once in each. */
const countedTargetDurations = 3;
/** But at least this long, milliseconds: players of short segments pause for a moment too. */
const minCountedMs = 6_000;

export class HlsSessions {
  private readonly options: HlsSessionsOptions;
  private readonly sessions = new Map<string, HlsSession>();
  private sizeBytes = 0;
  private readonly maxBytes: number;
  /** All; bounded by memory besides. */
  private readonly byAddress = new UnusedTable<HlsSession>({
    maxPerAddress,
    onEvict: (session) => this.end(session),
  });
  /** Those nobody plays now. */
  private readonly unused = new UnusedTable<HlsSession>({
    maxPerAddress: maxUnusedPerAddress,
    onEvict: (session) => this.end(session),
  });

  constructor(options: HlsSessionsOptions) {
    this.options = options;
    this.maxBytes = options.maxBytes ?? maxSessionBytes;
  }

  get size(): number {
    return this.sessions.size;
  }

  find(info: Pick<SessionInfo, 'vhost' | 'app' | 'stream'>, context: string): HlsSession | undefined {
    return this.sessions.get(keyOf(info, context));
  }

  /**
   * Begins a session and asks the host; who does not play makes room. Undefined when everybody plays and there is no room.
   * `context` must not be in use.
   */
  begin(info: SessionInfo, context: string): HlsSession | undefined {
    const bytes = bytesOf(info);
    while (this.sizeBytes + bytes > this.maxBytes) if (!this.unused.evictOldest()) return undefined;
    const session: HlsSession = {
      context,
      info,
      verdict: this.options.ports.authorizePlay(info),
      isAdmitted: false,
      isKicked: false,
      hasEnded: false,
      hasReturned: false,
      lastRequestMs: this.options.clock(),
      countedForMs: 0,
      player: undefined,
    };
    this.sessions.set(keyOf(info, context), session);
    this.sizeBytes += bytes;
    this.byAddress.add(session, info.ip);
    this.unused.add(session, info.ip);
    return session;
  }

  /** The host refused: the next request of that id asks again. */
  forget(session: HlsSession): void {
    if (session.hasEnded) return;
    session.hasEnded = true;
    this.sessions.delete(keyOf(session.info, session.context));
    this.sizeBytes -= bytesOf(session.info);
    this.byAddress.remove(session);
    this.unused.remove(session);
  }

  /** A request of an admitted session: it counts as a viewer (again). `isReturn`: under the id it was given. */
  touch(session: HlsSession, targetDurationMs: number, isReturn: boolean): void {
    if (session.hasEnded) return;
    session.isAdmitted = true;
    session.hasReturned ||= isReturn;
    if (session.hasReturned && !session.isKicked) this.unused.remove(session);
    session.lastRequestMs = this.options.clock();
    session.countedForMs = Math.max(minCountedMs, countedTargetDurations * targetDurationMs);
    if (session.isKicked) return;
    session.player ??= this.options.players.addPlayer(session.info, {
      close: () => this.kick(session),
      stats: () => ({ droppedFrames: 0, queuedBytes: 0 }),
    });
  }

  /** Stops counting the silent ones, ends those idle for `idleMs`. */
  sweep(now: number, idleMs: number): void {
    for (const session of this.sessions.values()) {
      const silentMs = now - session.lastRequestMs;
      if (silentMs >= Math.min(idleMs, session.countedForMs)) this.stopCounting(session);
      if (silentMs >= idleMs) this.end(session);
    }
  }

  close(): void {
    for (const session of [...this.sessions.values()]) this.end(session);
  }

  /** The id answers 404 until it has been idle long enough to be forgotten. */
  private kick(session: HlsSession): void {
    if (session.isKicked) return;
    session.isKicked = true;
    session.player = undefined;
    this.options.ports.onStop(session.info);
  }

  private stopCounting(session: HlsSession): void {
    if (session.player === undefined) return;
    session.player.close();
    session.player = undefined;
    if (session.hasReturned) this.unused.add(session, session.info.ip);
  }

  /** The host is told the end of everyone it let in, even of those it has yet to answer about. */
  private end(session: HlsSession): void {
    if (session.hasEnded) return;
    const { onStop } = this.options.ports;
    this.forget(session);
    session.player?.close();
    session.player = undefined;
    if (session.isKicked) return;
    if (session.isAdmitted) onStop(session.info);
    // A verdict that failed is told where it is waited for.
    else session.verdict.then(({ allowed }) => allowed && onStop(session.info)).catch(() => undefined);
  }
}

function bytesOf({ param, tcUrl, pageUrl, userAgent = '' }: SessionInfo): number {
  return sessionBytes + 2 * (param.length + tcUrl.length + pageUrl.length + userAgent.length);
}

function keyOf(info: Pick<SessionInfo, 'vhost' | 'app' | 'stream'>, context: string): string {
  return `${toStreamUrl({ vhost: info.vhost, app: info.app, stream: info.stream })}?${context}`;
}
