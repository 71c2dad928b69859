// Cache of valid verdicts of the operator's service about viewers; concurrent equal requests share one query. Used by `watching.ts`, which
// makes the decisions.
import { createHash } from 'node:crypto';
import type { SessionInfo, Verdict } from '@srs-stack/engine';
import { isValidAt, type VerdictValidity } from '@srs-stack/playback/access/verdict-validity.ts';
import type { PlayVerdict } from './callbacks/platform-callbacks.ts';

/** Maximum number of cached verdicts, about 200 bytes each; the oldest is removed. */
const maxVerdicts = 20_000;
/** Cache time of a refusal or a failed query, milliseconds, because players retry repeatedly. */
const refusalMs = 2_000;

export interface CachedVerdict extends VerdictValidity {
  readonly verdict: Verdict;
}

/** A session, or a request that has no session. */
export type ConnectingViewer = Omit<SessionInfo, 'clientId' | 'type' | 'tcUrl'> & Partial<SessionInfo>;
/** Key of a verdict. */
type Asked = Pick<SessionInfo, 'app' | 'stream' | 'ip' | 'param'>;

export interface PlaybackVerdictsOptions {
  /** Queries the control plane, which queries the operator's service. */
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

  /** The last verdict, valid or expired; undefined if there is none or it is being queried. */
  known(viewed: Asked): CachedVerdict | undefined {
    const cached = this.#verdicts.get(keyOf(viewed));
    return cached instanceof Promise ? undefined : cached;
  }

  /** Returns the cached verdict if it is valid, otherwise queries a new one. */
  async of(viewer: ConnectingViewer): Promise<CachedVerdict> {
    const key = keyOf(viewer);
    const known = await this.#verdicts.get(key);
    return known && isValidAt(known, this.#options.now()) ? known : this.#askFor(key, viewer);
  }

  /** Discards all verdicts, because the rules have changed. */
  clear(): void {
    this.#verdicts.clear();
  }

  #askFor(key: string, viewer: ConnectingViewer): Promise<CachedVerdict> {
    const current = this.#verdicts.get(key);
    if (current instanceof Promise) return current;
    const pending = this.#options.query({ ...nobody, ...viewer }).then(({ verdict, seconds }): CachedVerdict => {
      const sinceMs = this.#options.now();
      const cached = { verdict, sinceMs, untilMs: sinceMs + (verdict.allowed ? seconds * 1000 : refusalMs) };
      this.#verdicts.set(key, cached);
      return cached;
    });
    this.#verdicts.delete(key);
    this.#verdicts.set(key, pending);
    const oldest = this.#verdicts.keys().next().value;
    if (this.#verdicts.size > maxVerdicts && oldest !== undefined) this.#verdicts.delete(oldest);
    return pending;
  }
}

/** Hashed, because queries are long and may contain secrets. */
function keyOf({ app, stream, ip, param }: Asked): string {
  return createHash('sha256')
    .update(JSON.stringify([app, stream, ip, param]))
    .digest('base64url');
}
