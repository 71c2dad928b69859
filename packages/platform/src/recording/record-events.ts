// Notifications about recordings; outgoing callbacks implement this interface.
import type { RecordFacts } from './record-facts.ts';

interface RecordSource {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly uuid: string;
}

interface RecordBegun extends RecordSource {
  readonly action: 'on_record_begin';
}

interface RecordEnded extends RecordSource {
  readonly action: 'on_record_end';
  /** 0 when the MP4 exists; 100 when only the segments exist. */
  readonly artifactCode: 0 | 100;
  readonly artifactSize: number;
  /** Seconds. */
  readonly artifactDuration: number;
}

export interface RecordEvents {
  /** Returns immediately and never throws. */
  notify(event: RecordBegun | RecordEnded): void;
}

export const noRecordEvents: RecordEvents = { notify: () => undefined };

export function begun({ vhost, app, stream, uuid }: RecordFacts): RecordBegun {
  return { action: 'on_record_begin', vhost, app, stream, uuid };
}

export function ended({ vhost, app, stream, uuid, state, mp4Size, duration }: RecordFacts): RecordEnded {
  const artifactCode = state === 'done' ? 0 : 100;
  const source = { vhost, app, stream, uuid };
  return { action: 'on_record_end', ...source, artifactCode, artifactSize: mp4Size, artifactDuration: duration };
}
