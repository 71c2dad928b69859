// Validates finished HLS segments and passes them to subscribers, e.g. recording.
import { dirname, resolve } from 'node:path';
import { AppError, type HlsSegmentEvent, parseRenditionName, verbatim } from '@srs-stack/contract';
import { resolveInside } from '@srs-stack/process/data-folder.ts';

export interface HlsSegment {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  /** Real path inside the HLS folder. The media server deletes this file soon: link or copy the file before returning. */
  readonly file: string;
  readonly durationSeconds: number;
  /** `app/name.m3u8`. All publications of a stream have one URL, which identifies the running recording of the stream. */
  readonly m3u8Url: string;
  readonly url: string;
  readonly sequenceNumber: number;
}

type HlsSegmentSubscriber = (segment: HlsSegment) => Promise<void>;

export interface HlsSegments {
  subscribe(subscriber: HlsSegmentSubscriber): () => void;
  /** Resolves when all subscribers have processed the segment. Throws `invalidRequest` for a missing file. */
  handle(event: HlsSegmentEvent): Promise<void>;
  /**
   * Handles several segments. Keeps the order within each stream. If some fail, throws one error, preferably an error that a retry may fix.
   * Subscribers must recognize repeated segments.
   */
  handleAll(events: readonly HlsSegmentEvent[]): Promise<void>;
}

export function createHlsSegments(hlsPath: string): HlsSegments {
  const subscribers = new Set<HlsSegmentSubscriber>();

  async function handle(event: HlsSegmentEvent): Promise<void> {
    // Ignores renditions: they are not recorded.
    if (parseRenditionName(event.stream)) return;
    const file = await resolveInside(hlsPath, event.file, event.cwd ? resolve(event.cwd) : dirname(hlsPath));
    if (!file) throw new AppError('invalidRequest', verbatim('the segment file is not in the HLS folder'));
    const segment: HlsSegment = {
      vhost: event.vhost,
      app: event.app,
      stream: event.stream,
      file,
      durationSeconds: event.duration,
      m3u8Url: event.m3u8_url,
      url: event.url,
      sequenceNumber: event.seq_no,
    };
    await Promise.all([...subscribers].map((subscriber) => subscriber(segment)));
  }

  /** Handles segments of one playlist in sequence. Resolves with all errors. */
  async function handleInOrder(events: readonly HlsSegmentEvent[]): Promise<unknown[]> {
    const errors: unknown[] = [];
    for (const event of events) await handle(event).catch((error: unknown) => errors.push(error));
    return errors;
  }

  return {
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    handle,
    async handleAll(events) {
      const byPlaylist = Map.groupBy(events, (event) => event.m3u8_url);
      const errors = (await Promise.all([...byPlaylist.values()].map(handleInOrder))).flat();
      if (errors.length > 0) throw errors.find((error) => !isInvalid(error)) ?? errors[0];
    },
  };
}

const isInvalid = (error: unknown): boolean => error instanceof AppError && error.errorName === 'invalidRequest';
