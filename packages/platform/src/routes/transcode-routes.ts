import type { Tasks } from '../tasks/open-tasks.ts';
import type { Handlers } from './handlers.ts';

type Names =
  | 'queryTranscode'
  | 'applyTranscode'
  | 'queryTranscodeTask'
  | 'uploadWatermark'
  | 'queryWatermark'
  | 'queryWorkerLogs';

export function transcodeRoutes({ transcode, workerLogs }: Tasks): Pick<Handlers, Names> {
  return {
    queryTranscode: () => transcode.current(),
    async applyTranscode({ token: _, ...config }, { ip }) {
      await transcode.apply(config, ip);
      return null;
    },
    queryTranscodeTask: () => transcode.task(),
    uploadWatermark: ({ data }) => transcode.receiveWatermark(data),
    queryWatermark: ({ id }) => transcode.findWatermark(id),
    queryWorkerLogs: ({ kind, platform }) => workerLogs.query(kind, platform),
  };
}
