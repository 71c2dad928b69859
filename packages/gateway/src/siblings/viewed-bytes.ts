// Number of HLS bytes that this gateway sent to viewers whose sessions are at other gateways. Reported once a second in one call, one JSON
// object per line. The bytes of a failed call are not counted.
import type { StreamKey } from '@srs-stack/engine';
import type { SiblingLink } from './sibling-link.ts';
import { siblingPaths } from './sibling-paths.ts';

/** Interval of reports to one gateway, milliseconds. */
const tellEveryMs = 1_000;
/** Maximum number of viewers per report and gateway, more than a gateway serves in a second. Bytes of further viewers are not counted. */
const maxViewers = 20_000;

export interface Viewed extends StreamKey {
  /** Session id of the viewer (`hls_ctx`). */
  readonly context: string;
  readonly bytes: number;
}

export class ViewedBytes {
  readonly #tallies = new Map<SiblingLink, Map<string, Viewed>>();
  #timer: NodeJS.Timeout | undefined;

  add(link: SiblingLink, { vhost, app, stream, context, bytes }: Viewed): void {
    const tally = this.#tallies.get(link) ?? new Map<string, Viewed>();
    const id = `${vhost}/${app}/${stream}?${context}`;
    const before = tally.get(id);
    if (!before && tally.size >= maxViewers) return;
    tally.set(id, { vhost, app, stream, context, bytes: bytes + (before?.bytes ?? 0) });
    this.#tallies.set(link, tally);
    this.#timer ??= setTimeout(() => this.#sendReport(), tellEveryMs).unref();
  }

  /** Idempotent. */
  close(): void {
    clearTimeout(this.#timer);
    this.#tallies.clear();
  }

  #sendReport(): void {
    this.#timer = undefined;
    for (const [link, tally] of this.#tallies) {
      const body = [...tally.values()].map((viewed) => `${JSON.stringify(viewed)}\n`).join('');
      link.call(siblingPaths.viewed, { method: 'POST' }, false, body).then(
        (response) => response.resume(),
        () => undefined,
      );
    }
    this.#tallies.clear();
  }
}

/** Undefined for an invalid line. */
export function parseViewed(line: string): Viewed | undefined {
  try {
    const { vhost, app, stream, context, bytes } = JSON.parse(line) as Record<string, unknown>;
    const isNamed = [vhost, app, stream, context].every((part) => typeof part === 'string');
    return isNamed && Number.isSafeInteger(bytes) && Number(bytes) >= 0
      ? ({ vhost, app, stream, context, bytes } as Viewed)
      : undefined;
  } catch {
    return undefined;
  }
}
