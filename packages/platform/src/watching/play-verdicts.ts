// Verdicts of the operator's service about viewers. `on_play` requests a verdict, which is cached for the time in the response.

import { createHash } from 'node:crypto';
import { AppError, defaultVhost } from '@srs-stack/contract';
import { isValidAt, type VerdictValidity } from '@srs-stack/playback/access/verdict-validity.ts';
import type { Callbacks } from '../callbacks/callbacks.ts';
import { maxVerdicts, refusalSeconds, verdictSeconds } from './watch-limits.ts';

export interface Viewer {
  readonly vhost?: string;
  readonly app: string;
  readonly stream: string;
  readonly ip: string;
  readonly param: string;
  readonly client_id?: string;
  readonly pageUrl?: string | undefined;
}

interface Verdict extends VerdictValidity {
  /** Undefined for an approved viewer. */
  readonly refusal: AppError | undefined;
}

export interface PlayVerdicts {
  /** Resolves with the remaining validity, seconds. Throws `callbackRefused`. */
  ask(viewer: Viewer): Promise<number>;
}

interface Entry {
  readonly asking: Promise<Verdict>;
  verdict?: Verdict;
}

/** @param nowMs returns milliseconds since 1970. */
export function createPlayVerdicts(callbacks: Pick<Callbacks, 'askPlay'>, nowMs: () => number): PlayVerdicts {
  /** Oldest first. */
  const entries = new Map<string, Entry>();

  const holding = (seconds: number, refusal: AppError | undefined): Verdict => {
    const sinceMs = nowMs();
    return { sinceMs, untilMs: sinceMs + 1000 * seconds, refusal };
  };

  const askNow = async (viewer: Viewer): Promise<Verdict> => {
    const { vhost = defaultVhost, app, stream, ip, param, client_id = '', pageUrl = '' } = viewer;
    try {
      const granted = await callbacks.askPlay({ action: 'on_play', vhost, app, stream, ip, param, client_id, pageUrl });
      return holding(boundedSeconds(granted), undefined);
    } catch (error) {
      const refusal = error instanceof AppError ? error : new AppError('callbackRefused', undefined, { cause: error });
      return holding(refusalSeconds, refusal);
    }
  };

  const begin = (key: string, viewer: Viewer): Entry => {
    const entry: Entry = {
      asking: askNow(viewer).then((verdict) => {
        entry.verdict = verdict;
        return verdict;
      }),
    };
    entries.delete(key);
    entries.set(key, entry);
    const oldest = entries.keys().next().value;
    if (entries.size > maxVerdicts && oldest !== undefined) entries.delete(oldest);
    return entry;
  };

  return {
    async ask(viewer) {
      const key = keyOf(viewer);
      const before = entries.get(key);
      const isUsable = before && (!before.verdict || isValidAt(before.verdict, nowMs()));
      const { untilMs, refusal } = await (isUsable ? before : begin(key, viewer)).asking;
      if (refusal) throw refusal;
      return Math.max(1, Math.ceil((untilMs - nowMs()) / 1000));
    },
  };
}

function boundedSeconds(granted: number | undefined): number {
  const { fallback, least, most } = verdictSeconds;
  return Math.min(most, Math.max(least, granted ?? fallback));
}

/** Hash of a viewer's data. The query itself is not stored: queries are long and may contain secrets. */
function keyOf({ app, stream, ip, param }: Viewer): string {
  return createHash('sha256')
    .update(JSON.stringify([app, stream, ip, param]))
    .digest('base64url');
}
