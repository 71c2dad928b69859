import type * as calls from '@srs-stack/contract/endpoints/media-server-hooks.ts';
import type { Rooms } from '../rooms.ts';
import type { HandlersOf } from './handlers.ts';

export function mediaServerHooksRoutes({ streams, tasks }: Rooms): HandlersOf<typeof calls> {
  const { events, segments } = streams;
  return {
    async verifyStream(event) {
      const watchSeconds = await events.handle(event);
      return watchSeconds === undefined ? null : { watchSeconds };
    },
    async hlsSegment(event) {
      await segments.handle(event);
      return null;
    },
    queryVariants: (key) => tasks.ladder.variants(key),
  };
}
