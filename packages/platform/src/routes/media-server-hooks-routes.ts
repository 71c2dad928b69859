import type * as calls from '@srs-stack/contract/endpoints/media-server-hooks.ts';
import type { Streams } from '../streams/open-streams.ts';
import type { HandlersOf } from './handlers.ts';

export function mediaServerHooksRoutes({ events, segments }: Streams): HandlersOf<typeof calls> {
  return {
    async verifyStream(event) {
      const watchSeconds = await events.handle(event);
      return watchSeconds === undefined ? null : { watchSeconds };
    },
    async hlsSegment(event) {
      await segments.handle(event);
      return null;
    },
  };
}
