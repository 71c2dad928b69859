// Collects the data of a watch page in one response: the look and, for authorized viewers, the live state. `more` contains fields of other
// modules.
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { WatchInfo, WatchLive } from '@srs-stack/contract/values/watch-info.ts';
import type { WatchRequest } from '@srs-stack/playback/access/watch-rights.ts';
import type { ForwardedResolver } from '../http/forwarded.ts';
import type { LiveFacts } from './live-facts.ts';
import { lookOf, type PageLooks } from './page-looks.ts';
import type { WatchedStream } from './watch-path.ts';

/** A field that only authorized viewers get. Undefined when there is nothing to return. */
type LiveField = (stream: WatchedStream) => Partial<WatchLive> | undefined | Promise<Partial<WatchLive> | undefined>;

export interface StreamInfosOptions {
  readonly forwarded: ForwardedResolver;
  /** Whether this viewer may watch. Decides from memory, without a request. */
  readonly mayWatch: (request: WatchRequest) => 'everybody' | 'yes' | 'no';
  readonly looks: () => PageLooks;
  readonly live: Pick<LiveFacts, 'of'>;
  readonly more: readonly LiveField[];
}

export interface SharedInfo {
  readonly info: WatchInfo;
  /** True when the response is equal for all viewers. */
  readonly isPublic: boolean;
}

const unauthorized = { live: null, since: null, viewers: null, ways: [] } satisfies WatchLive;

/** Maximum wait for a field, milliseconds. A late field is omitted, because the page waits for the response. */
const fieldWithinMs = 300;

export class StreamInfos {
  readonly #options: StreamInfosOptions;

  constructor(options: StreamInfosOptions) {
    this.#options = options;
  }

  /** The response for the client of this request. The query of the request may authorize the client. Never rejects. */
  async of(stream: WatchedStream, request: IncomingMessage): Promise<SharedInfo> {
    const { forwarded, mayWatch } = this.#options;
    const target = request.url ?? '';
    const param = target.includes('?') ? target.slice(target.indexOf('?')) : '';
    const { for: ip } = forwarded(request);
    const right = mayWatch({ ...stream, ip, param });
    const { hidesViewers, ...look } = this.lookOf(stream);
    const live = right === 'no' ? unauthorized : await this.#liveOf(stream);
    const viewers = hidesViewers ? null : live.viewers;
    return { info: { ...look, allowed: right !== 'no', ...live, viewers }, isPublic: right === 'everybody' };
  }

  lookOf(stream: WatchedStream): ReturnType<typeof lookOf> {
    return lookOf(this.#options.looks(), stream);
  }

  async #liveOf(stream: WatchedStream): Promise<WatchLive> {
    const { live, more } = this.#options;
    const soon = more.map((field) => withinTime(field(stream)));
    const [facts, ...fields] = await Promise.all([live.of(stream), ...soon]);
    return Object.assign({}, facts, ...fields);
  }
}

async function withinTime(field: ReturnType<LiveField>): Promise<Partial<WatchLive> | undefined> {
  if (!(field instanceof Promise)) return field;
  const abort = new AbortController();
  const late = setTimeout(fieldWithinMs, undefined, { signal: abort.signal }).catch(() => undefined);
  try {
    return await Promise.race([field, late]);
  } catch {
    // A failed field is omitted. Other fields are not affected.
    return undefined;
  } finally {
    abort.abort();
  }
}
