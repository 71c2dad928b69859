// Viewers of HLS: a session per context id (`hls_ctx`), begun by the first playlist request, ended by silence or a kick.
import { toStreamUrl } from '../../hub/stream-key.ts';
import type { EnginePorts, Verdict } from '../../ports.ts';
import type { SessionInfo } from '../../session-info.ts';

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
  lastRequestMs: number;
  /** Idle time after which the viewer no longer counts, milliseconds. */
  countedForMs: number;
  player: HlsPlayerHandle | undefined;
}

export interface HlsSessionsOptions {
  readonly players: HlsPlayers;
  readonly ports: Pick<EnginePorts, 'authorizePlay' | 'onStop'>;
  readonly clock: () => number;
}

/** Sessions at one time: each costs about 1 kB, and a client may invent ids. */
const maxSessions = 50_000;
/** A viewer is counted for this many target durations after a request: a live player asks once in each. */
const countedTargetDurations = 3;
/** But at least this long, milliseconds: players of short segments pause for a moment too. */
const minCountedMs = 6_000;

export class HlsSessions {
  private readonly options: HlsSessionsOptions;
  private readonly sessions = new Map<string, HlsSession>();

  constructor(options: HlsSessionsOptions) {
    this.options = options;
  }

  get size(): number {
    return this.sessions.size;
  }

  find(info: Pick<SessionInfo, 'vhost' | 'app' | 'stream'>, context: string): HlsSession | undefined {
    return this.sessions.get(keyOf(info, context));
  }

  /** Begins a session and asks the host; undefined when there are too many. `context` must not be in use. */
  begin(info: SessionInfo, context: string): HlsSession | undefined {
    if (this.sessions.size >= maxSessions) return undefined;
    const session: HlsSession = {
      context,
      info,
      verdict: this.options.ports.authorizePlay(info),
      isAdmitted: false,
      isKicked: false,
      lastRequestMs: this.options.clock(),
      countedForMs: 0,
      player: undefined,
    };
    this.sessions.set(keyOf(info, context), session);
    return session;
  }

  /** The host refused: the next request of that id asks again. */
  forget(session: HlsSession): void {
    this.sessions.delete(keyOf(session.info, session.context));
  }

  /** A request of an admitted session: it counts as a viewer (again). */
  touch(session: HlsSession, targetDurationMs: number): void {
    session.isAdmitted = true;
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
    session.player?.close();
    session.player = undefined;
  }

  private end(session: HlsSession): void {
    this.stopCounting(session);
    this.forget(session);
    if (session.isAdmitted && !session.isKicked) this.options.ports.onStop(session.info);
  }
}

function keyOf(info: Pick<SessionInfo, 'vhost' | 'app' | 'stream'>, context: string): string {
  return `${toStreamUrl({ vhost: info.vhost, app: info.app, stream: info.stream })}?${context}`;
}
