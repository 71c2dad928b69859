import type * as calls from '@srs-stack/contract/endpoints/media-server-hooks.ts';
import { maxSegmentsPerCall } from '@srs-stack/contract/limits.ts';
import type { Modules } from '../modules.ts';
import type { HandlersOf } from './handlers.ts';

const segmentReceipt = { segmentsPerCall: maxSegmentsPerCall };

export function mediaServerHooksRoutes({ streams, tasks }: Modules): HandlersOf<typeof calls> {
  const { events, segments } = streams;
  return {
    async verifyStream(event) {
      const watchSeconds = await events.handle(event);
      return watchSeconds === undefined ? null : { watchSeconds };
    },
    async hlsSegment(event) {
      await segments.handle(event);
      return event.asks_many ? segmentReceipt : null;
    },
    async hlsSegments(events) {
      await segments.handleAll(events.segments);
      return segmentReceipt;
    },
    queryVariants: (key) => tasks.ladder.variants(key),
  };
}
