import type * as calls from '@srs-stack/contract/endpoints/transcode.ts';
import type { Tasks } from '../tasks/open-tasks.ts';
import type { HandlersOf } from './handlers.ts';

export function transcodeRoutes({ transcode }: Tasks): HandlersOf<typeof calls> {
  return {
    queryTranscode: () => transcode.current(),
    async applyTranscode({ token: _, ...config }, { actor }) {
      await transcode.apply(config, actor);
      return null;
    },
    queryTranscodeTask: () => transcode.task(),
    uploadWatermark: ({ data }) => transcode.receiveWatermark(data),
    queryWatermark: ({ id }) => transcode.findWatermark(id),
  };
}
