// Cache of the verdicts of the operator's service on viewers, while they are valid; concurrent equal requests share one query. Used by the
// gate of `watching.ts`, which decides.
import { createHash } from 'node:crypto';
import type { SessionInfo, Verdict } from '@srs-stack/engine';
import { isValidAt, type VerdictValidity } from '@srs-stack/playback/access/verdict-validity.ts';
import type { PlayVerdict } from './callbacks/platform-callbacks.ts';

/** Cached verdicts, some 200 bytes each; the oldest is removed. */
const maxVerdicts = 20_000;
/** Cache time of a refusal or a failed query, milliseconds: players retry again and again. */
const refusalMs = 2_000;

export interface CachedVerdict extends VerdictValidity {
  readonly verdict: Verdict;
}

/** A session, or a request without a session. */
export type ConnectingViewer = Omit<SessionInfo, 'clientId' | 'type' | 'tcUrl'> & Partial<SessionInfo>;
/** Key of a verdict. */
type Asked = Pick<SessionInfo, 'app' | 'stream' | 'ip' | 'param'>;

export interface PlaybackVerdictsOptions {
  /** Queries the control plane, which queries the operator's service. */
  readonly ask: (session: SessionInfo) => Promise<PlayVerdict>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** For a request without a session. */
const nobody = { clientId: '', type: 'hls-play', tcUrl: '' } as const;

export class PlaybackVerdicts {
  readonly #options: PlaybackVerdictsOptions;
  readonly #verdicts = new Map<string, CachedVerdict | Promise<CachedVerdict>>();

  constructor(options: PlaybackVerdictsOptions) {
    this.#options = options;
  }

  /** The last verdict, valid or expired; undefined without one, and while it is being queried. */
  known(asked: Asked): CachedVerdict | undefined {
    const cached = this.#verdicts.get(keyOf(asked));
    return cached instanceof Promise ? undefined : cached;
  }

  /** A valid verdict, queried when there is none. */
  async of(viewer: ConnectingViewer): Promise<CachedVerdict> {
    const key = keyOf(viewer);
    const known = await this.#verdicts.get(key);
    return known && isValidAt(known, this.#options.now()) ? known : this.#askFor(key, viewer);
  }

  /** The rules have changed: discards all verdicts. */
  clear(): void {
    this.#verdicts.clear();
  }

  #askFor(key: string, viewer: ConnectingViewer): Promise<CachedVerdict> {
    const current = this.#verdicts.get(key);
    if (current instanceof Promise) return current;
    const asking = this.#options.ask({ ...nobody, ...viewer }).then(({ verdict, seconds }): CachedVerdict => {
      const sinceMs = this.#options.now();
      const cached = { verdict, sinceMs, untilMs: sinceMs + (verdict.allowed ? seconds * 1000 : refusalMs) };
      this.#verdicts.set(key, cached);
      return cached;
    });
    this.#verdicts.delete(key);
    this.#verdicts.set(key, asking);
    const oldest = this.#verdicts.keys().next().value;
    if (this.#verdicts.size > maxVerdicts && oldest !== undefined) this.#verdicts.delete(oldest);
    return asking;
  }
}

/** Hashed, because queries are long and may contain secrets. */
function keyOf({ app, stream, ip, param }: Asked): string {
  return createHash('sha256')
    .update(JSON.stringify([app, stream, ip, param]))
    .digest('base64url');
}
