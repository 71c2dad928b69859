// Cache of verdicts of the operator's service about viewers. Concurrent equal requests share one query. `watching.ts` decides with these
// verdicts.
import { createHash } from 'node:crypto';
import type { SessionInfo, Verdict } from '@srs-stack/engine';
import { isValidAt, type VerdictValidity } from '@srs-stack/playback/access/verdict-validity.ts';
import type { PlayVerdict } from './callbacks/platform-callbacks.ts';

/** Maximum number of cached verdicts, about 200 bytes each. The oldest verdict is removed first. */
const maxVerdicts = 20_000;
/** Cache time of a refusal or a failed query, milliseconds. Short, so that a retry of the player gets a new verdict. */
const refusalMs = 2_000;

export interface CachedVerdict extends VerdictValidity {
  readonly verdict: Verdict;
}

/** A session, or the data of a request without a session. */
export type ConnectingViewer = Omit<SessionInfo, 'clientId' | 'type' | 'tcUrl'> & Partial<SessionInfo>;
type Asked = Pick<SessionInfo, 'app' | 'stream' | 'ip' | 'param'>;

export interface PlaybackVerdictsOptions {
  /** Queries the operator's service through the control plane. */
  readonly query: (session: SessionInfo) => Promise<PlayVerdict>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Client data of a request without a session. */
const nobody = { clientId: '', type: 'hls-play', tcUrl: '' } as const;

export class PlaybackVerdicts {
  readonly #options: PlaybackVerdictsOptions;
  readonly #verdicts = new Map<string, CachedVerdict | Promise<CachedVerdict>>();

  constructor(options: PlaybackVerdictsOptions) {
    this.#options = options;
  }

  /** The last verdict, valid or expired. Undefined when no verdict exists or a query is running. */
  known(viewed: Asked): CachedVerdict | undefined {
    const cached = this.#verdicts.get(keyOf(viewed));
    return cached instanceof Promise ? undefined : cached;
  }

  /** Returns a valid cached verdict, or queries a new verdict. */
  async of(viewer: ConnectingViewer): Promise<CachedVerdict> {
    const key = keyOf(viewer);
    const known = await this.#verdicts.get(key);
    return known && isValidAt(known, this.#options.now()) ? known : this.#askFor(key, viewer);
  }

  /** Discards all verdicts. Call when the rules have changed. */
  clear(): void {
    this.#verdicts.clear();
  }

  #askFor(key: string, viewer: ConnectingViewer): Promise<CachedVerdict> {
    const current = this.#verdicts.get(key);
    if (current instanceof Promise) return current;
    const pending = this.#options.query({ ...nobody, ...viewer }).then(({ verdict, seconds }): CachedVerdict => {
      const sinceMs = this.#options.now();
      const cached = { verdict, sinceMs, untilMs: sinceMs + (verdict.allowed ? seconds * 1000 : refusalMs) };
      // A verdict that was requested before `clear` applies to this viewer only.
      if (this.#verdicts.get(key) === pending) this.#verdicts.set(key, cached);
      return cached;
    });
    this.#verdicts.delete(key);
    this.#verdicts.set(key, pending);
    const oldest = this.#verdicts.keys().next().value;
    if (this.#verdicts.size > maxVerdicts && oldest !== undefined) this.#verdicts.delete(oldest);
    return pending;
  }
}

/** Hashed, because the query strings of requests are long and may contain secrets. */
function keyOf({ app, stream, ip, param }: Asked): string {
  return createHash('sha256')
    .update(JSON.stringify([app, stream, ip, param]))
    .digest('base64url');
}
