// What the operator's own service said about viewers, for as long as it holds: one question for all who ask the same at one time. It
// judges nobody; driven by the gate of `watching.ts`.
import { createHash } from 'node:crypto';
import type { SessionInfo, Verdict } from '@srs-stack/engine';
import { type HeldWord, holdsAt } from '@srs-stack/process/watch-rights/word.ts';
import type { PlayWord } from './callbacks/platform-callbacks.ts';

/** Words of the operator's service that are remembered, some 200 bytes each; the oldest is forgotten and asked again. */
const maxWords = 20_000;
/** A no, or nobody who could be asked, holds this long, milliseconds: players ask again and again. */
const refusalMs = 2_000;

export interface WatchWord extends HeldWord {
  readonly verdict: Verdict;
}

/** A session, or a request that is none yet. */
export type AskingViewer = Omit<SessionInfo, 'clientId' | 'type' | 'tcUrl'> & Partial<SessionInfo>;
/** What words are told apart by. */
type Asked = Pick<SessionInfo, 'app' | 'stream' | 'ip' | 'param'>;

export interface WatchWordsOptions {
  /** Asks the control plane, which asks the operator's service. */
  readonly ask: (session: SessionInfo) => Promise<PlayWord>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Of a request that is no session yet. */
const nobody = { clientId: '', type: 'hls-play', tcUrl: '' } as const;

export class WatchWords {
  readonly #options: WatchWordsOptions;
  readonly #words = new Map<string, WatchWord | Promise<WatchWord>>();

  constructor(options: WatchWordsOptions) {
    this.#options = options;
  }

  /** The last word, whether it still holds or not; undefined without one, and while it is asked for. */
  known(asked: Asked): WatchWord | undefined {
    const word = this.#words.get(keyOf(asked));
    return word instanceof Promise ? undefined : word;
  }

  /** One that holds, asked for when there is none. */
  async of(viewer: AskingViewer): Promise<WatchWord> {
    const key = keyOf(viewer);
    const known = await this.#words.get(key);
    return known && holdsAt(known, this.#options.now()) ? known : this.#askFor(key, viewer);
  }

  /** The rules have changed: everybody is asked about anew. */
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

/** Queries are long, and may hold what nobody should keep. */
function keyOf({ app, stream, ip, param }: Asked): string {
  return createHash('sha256')
    .update(JSON.stringify([app, stream, ip, param]))
    .digest('base64url');
}
