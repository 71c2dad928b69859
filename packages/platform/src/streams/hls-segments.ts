// Finished HLS segments: checked, then handed to whoever asked for them (recording and the like).
import { dirname, resolve } from 'node:path';
import { AppError, type HlsSegmentEvent, parseRenditionName, verbatim } from '@srs-stack/contract';
import { resolveInside } from '@srs-stack/process/data-folder.ts';

export interface HlsSegment {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  /** Real path inside the HLS folder. The media server deletes the file later: link or copy it before returning. */
  readonly file: string;
  readonly durationSeconds: number;
  /** `app/name.m3u8`; one per publication target, the key of recording tasks. */
  readonly m3u8Url: string;
  readonly url: string;
  readonly sequenceNumber: number;
}

type HlsSegmentSubscriber = (segment: HlsSegment) => Promise<void>;

export interface HlsSegments {
  /** Returns the way to end the subscription. */
  subscribe(subscriber: HlsSegmentSubscriber): () => void;
  /** Answers when all subscribers have what they need. Throws `invalidRequest` for a file that is not there. */
  handle(event: HlsSegmentEvent): Promise<void>;
  /**
   * The same for several: answers when each has been handled, in the order of its stream. Throws what one of them threw, rather
   * what another try may mend than `invalidRequest`: those that went well are known by their number when they come again.
   */
  handleAll(events: readonly HlsSegmentEvent[]): Promise<void>;
}

export function createHlsSegments(hlsPath: string): HlsSegments {
  const subscribers = new Set<HlsSegmentSubscriber>();

  async function handle(event: HlsSegmentEvent): Promise<void> {
    // Renditions are neither recorded nor kept.
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

  /** Of one playlist, one after the other. Resolves with what failed. */
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
