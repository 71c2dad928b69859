import type * as calls from '@srs-stack/contract/endpoints/records.ts';
import type { Recording } from '../recording/open-recording.ts';
import type { HandlersOf } from './handlers.ts';

export function recordsRoutes({ records }: Recording): HandlersOf<typeof calls> {
  const { rules, bin, retention } = records;
  return {
    queryRecord: () => rules.current(),
    async applyRecord({ all }, { ip }) {
      await rules.apply(all, ip);
      return null;
    },
    async updateRecordGlobs({ globs }, { ip }) {
      await rules.changeGlobs(globs, ip);
      return null;
    },
    async updateRecordPostProcessing({ postCpDir }, { ip }) {
      await rules.changeCopyFolder(postCpDir, ip);
      return null;
    },
    queryRecordFiles: ({ search, offset, limit }) => records.files({ search, offset, limit }),
    queryRecordStatus: ({ search }) => records.status(search),
    async removeRecord({ uuid, forever }, { ip }) {
      await bin.remove(uuid, forever, ip);
      return null;
    },
    async endRecord({ uuid }) {
      await records.end(uuid);
      return null;
    },
    queryRecordBin: () => bin.list(),
    async restoreRecord({ uuid }, { ip }) {
      await bin.restore(uuid, ip);
      return null;
    },
    async emptyRecordBin(_request, { ip }) {
      await bin.empty(ip);
      return null;
    },
    queryStreamRecording: ({ app, stream }) => records.streamRecording({ app, stream }),
    async updateStreamRecording({ app, stream, record }, { ip }) {
      await records.recordStream({ app, stream }, record, ip);
      return null;
    },
    queryRecordRetention: () => retention.current(),
    async updateRecordRetention({ keepDays, maxBytes }, { ip }) {
      await retention.change({ keepDays, maxBytes }, ip);
      // What is due goes at once, so that the answer shows it.
      await retention.apply();
      return null;
    },
  };
}
