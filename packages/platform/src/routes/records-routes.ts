import type { RecordRow } from '@srs-stack/contract';
import type * as calls from '@srs-stack/contract/endpoints/records.ts';
import type { Rooms } from '../rooms.ts';
import type { HandlersOf } from './handlers.ts';

type RecordRooms = Pick<Rooms, 'recording' | 'watching'>;

export function recordsRoutes({ recording: { records }, watching }: RecordRooms): HandlersOf<typeof calls> {
  const { rules, bin, retention } = records;
  return {
    queryRecord: () => rules.current(),
    async applyRecord({ all }, { actor }) {
      await rules.apply(all, actor);
      return null;
    },
    async updateRecordGlobs({ globs }, { actor }) {
      await rules.changeGlobs(globs, actor);
      return null;
    },
    async updateRecordPostProcessing({ postCpDir }, { actor }) {
      await rules.changeCopyFolder(postCpDir, actor);
      return null;
    },
    queryRecordFiles: ({ search, offset, limit }) =>
      records.files({ search, offset, limit }).map((row) => opened(row, watching)),
    queryRecordStatus: ({ search }) => records.status(search),
    async removeRecord({ uuid, forever }, { actor }) {
      await bin.remove(uuid, forever, actor);
      return null;
    },
    async endRecord({ uuid }) {
      await records.end(uuid);
      return null;
    },
    queryRecordBin: () => bin.list(),
    async restoreRecord({ uuid }, { actor }) {
      await bin.restore(uuid, actor);
      return null;
    },
    async emptyRecordBin(_request, { actor }) {
      await bin.empty(actor);
      return null;
    },
    queryStreamRecording: ({ app, stream }) => records.streamRecording({ app, stream }),
    async updateStreamRecording({ app, stream, record }, { actor }) {
      await records.recordStream({ app, stream }, record, actor);
      return null;
    },
    queryRecordRetention: () => retention.current(),
    async updateRecordRetention({ keepDays, maxBytes }, { actor }) {
      await retention.change({ keepDays, maxBytes }, actor);
      // What is due goes at once, so that the answer shows it.
      await retention.apply();
      return null;
    },
  };
}

/** The row with what opens its links, where not everybody may watch. */
function opened(row: RecordRow, watching: Rooms['watching']): RecordRow {
  const { query } = watching.ownQuery('console', row);
  return query === '' ? row : { ...row, watchQuery: query };
}
