// Cache of the verdicts of the operator's service on viewers, while they are valid; concurrent equal requests share one query. Used by the
// gate of `watching.ts`, which decides.
import { createHash } from 'node:crypto';
import type { SessionInfo, Verdict } from '@srs-stack/engine';
import { isValidAt, type VerdictValidity } from '@srs-stack/playback/access/verdict-validity.ts';
import type { PlayWord } from './callbacks/platform-callbacks.ts';

/** Cached verdicts, some 200 bytes each; the oldest is removed. */
const maxWords = 20_000;
/** Cache time of a refusal or a failed query, milliseconds: players retry again and again. */
const refusalMs = 2_000;

export interface WatchWord extends VerdictValidity {
  readonly verdict: Verdict;
}

/** A session, or a request without a session. */
export type AskingViewer = Omit<SessionInfo, 'clientId' | 'type' | 'tcUrl'> & Partial<SessionInfo>;
/** Key of a verdict. */
type Asked = Pick<SessionInfo, 'app' | 'stream' | 'ip' | 'param'>;

export interface WatchWordsOptions {
  /** Queries the control plane, which queries the operator's service. */
  readonly ask: (session: SessionInfo) => Promise<PlayWord>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** For a request without a session. */
const nobody = { clientId: '', type: 'hls-play', tcUrl: '' } as const;

export class WatchWords {
  readonly #options: WatchWordsOptions;
  readonly #words = new Map<string, WatchWord | Promise<WatchWord>>();

  constructor(options: WatchWordsOptions) {
    this.#options = options;
  }

  /** The last verdict, valid or expired; undefined without one, and while it is being queried. */
  known(asked: Asked): WatchWord | undefined {
    const word = this.#words.get(keyOf(asked));
    return word instanceof Promise ? undefined : word;
  }

  /** A valid verdict, queried when there is none. */
  async of(viewer: AskingViewer): Promise<WatchWord> {
    const key = keyOf(viewer);
    const known = await this.#words.get(key);
    return known && isValidAt(known, this.#options.now()) ? known : this.#askFor(key, viewer);
  }

  /** The rules have changed: discards all verdicts. */
  clear(): void {
    this.#words.clear();
  }

  #askFor(key: string, viewer: AskingViewer): Promise<WatchWord> {
    const current = this.#words.get(key);
    if (current instanceof Promise) return current;
    const asking = this.#options.ask({ ...nobody, ...viewer }).then(({ verdict, seconds }): WatchWord => {
      const sinceMs = this.#options.now();
      const word = { verdict, sinceMs, untilMs: sinceMs + (verdict.allowed ? seconds * 1000 : refusalMs) };
      this.#words.set(key, word);
      return word;
    });
    this.#words.delete(key);
    this.#words.set(key, asking);
    const oldest = this.#words.keys().next().value;
    if (this.#words.size > maxWords && oldest !== undefined) this.#words.delete(oldest);
    return asking;
  }
}

/** Hashed, because queries are long and may contain secrets. */
function keyOf({ app, stream, ip, param }: Asked): string {
  return createHash('sha256')
    .update(JSON.stringify([app, stream, ip, param]))
    .digest('base64url');
}
