// Synchronizes the table of active streams with the media server: at the start, after an outage, and periodically. The table is correct
// within seconds after an outage.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, parseRenditionName } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { ActiveStreams, ReportedStream } from './active-streams.ts';

/** Interval between reports after a success, milliseconds. */
const reportIntervalMs = 10_000;
/** Interval between attempts while the media server or the table is unavailable, milliseconds. */
const retryIntervalMs = 1_000;

const mediaServerAway = 'media server is unavailable';

interface StreamReporter {
  /** Streams of this node, without copies from other servers. */
  listOrigins(): Promise<ReadonlyArray<ReportedStream & { readonly isPublished: boolean }>>;
}

export interface ActiveStreamSyncDeps {
  readonly activeStreams: ActiveStreams;
  readonly mediaServer: StreamReporter;
  readonly log: Log;
  readonly now: () => Date;
}

/** Synchronizes once. Throws if the media server does not respond or the table is unavailable. */
export async function syncActiveStreams(deps: ActiveStreamSyncDeps): Promise<void> {
  const requestedAt = deps.now();
  const streams = await deps.mediaServer.listOrigins();
  const hasChanged = await deps.activeStreams.reconcile(
    // Omits renditions: they belong to another stream.
    streams.filter(({ isPublished, stream }) => isPublished && parseRenditionName(stream) === undefined),
    requestedAt,
  );
  if (hasChanged) deps.log.info({ streams: streams.length }, 'list of active streams corrected from the media server');
}

/** Synchronizes the table until the signal aborts. */
export async function keepActiveStreamsTrue(deps: ActiveStreamSyncDeps, signal: AbortSignal): Promise<void> {
  let trouble: string | undefined;
  while (!signal.aborted) {
    try {
      await syncActiveStreams(deps);
      if (trouble === mediaServerAway) deps.log.info({}, 'media server is available again');
      trouble = undefined;
    } catch (error) {
      const found = isOfMediaServer(error) ? mediaServerAway : 'list of active streams could not be stored';
      if (found !== trouble && !signal.aborted) deps.log.warn({ reason: (error as Error).message }, found);
      trouble = found;
    }
    await sleep(trouble ? retryIntervalMs : reportIntervalMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** True for errors of the media server; all other errors come from the store. */
function isOfMediaServer(error: unknown): boolean {
  return error instanceof AppError && error.errorName === 'mediaServerUnreachable';
}
