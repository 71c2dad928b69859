import type { RecordRow } from '@srs-stack/contract';
import type * as calls from '@srs-stack/contract/endpoints/records.ts';
import type { Modules } from '../modules.ts';
import type { HandlersOf } from './handlers.ts';

type RecordModules = Pick<Modules, 'recording' | 'watching'>;

export function recordsRoutes({ recording: { records }, watching }: RecordModules): HandlersOf<typeof calls> {
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
    ...listRoutes(records, watching),
    async removeRecord({ uuid, forever }, { actor }) {
      await bin.remove(uuid, forever, actor);
      return null;
    },
    async endRecord({ uuid }, { actor }) {
      await records.end(uuid, actor);
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
    ...clipRoutes(records.clips, watching),
    ...planRoutes(records),
    queryRecordRetention: () => retention.current(),
    async updateRecordRetention({ keepDays, maxBytes }, { actor }) {
      await retention.change({ keepDays, maxBytes }, actor);
      // Applies the limits now, so that the next list shows the result.
      await retention.apply();
      return null;
    },
  };
}

type Records = Modules['recording']['records'];
type ListCalls = Pick<HandlersOf<typeof calls>, 'queryRecordFiles' | 'queryRecordStatus' | 'updateRecord'>;

function listRoutes(records: Records, watching: Modules['watching']): ListCalls {
  return {
    queryRecordFiles: ({ token: _, ...page }) => opened(records.files({ limit: undefined, ...page }), watching),
    queryRecordStatus: ({ token: _, ...filter }) => records.status(filter),
    async updateRecord({ uuid, title, notes, keep }, { actor }) {
      await records.label(uuid, { title, notes, keep }, actor);
      return null;
    },
  };
}

type PlanCalls = Pick<
  HandlersOf<typeof calls>,
  'queryRecordPlan' | 'saveRecordPlanEntry' | 'removeRecordPlanEntry' | 'queryRecordSplit' | 'updateRecordSplit'
>;

function planRoutes(records: Records): PlanCalls {
  const { rules, split } = records;
  return {
    queryRecordPlan: () => ({
      entries: records.planned(),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    }),
    saveRecordPlanEntry: ({ token: _, ...entry }, { actor }) => rules.plan.save(entry, actor),
    async removeRecordPlanEntry({ id }, { actor }) {
      await rules.plan.remove(id, actor);
      return null;
    },
    queryRecordSplit: () => split.current(),
    async updateRecordSplit({ maxSeconds, maxBytes }, { actor }) {
      await split.change({ maxSeconds, maxBytes }, actor);
      return null;
    },
  };
}

type ClipCalls = Pick<HandlersOf<typeof calls>, 'queryRewindWindows' | 'queryRewindWindow' | 'createClip'>;

function clipRoutes(clips: Modules['recording']['records']['clips'], watching: Modules['watching']): ClipCalls {
  return {
    queryRewindWindows: () => clips.windows(),
    async queryRewindWindow({ app, stream, from, to }) {
      const window = await clips.window({ app, stream }, { from, to });
      const path = `/${[...app.split('/'), stream].map(encodeURIComponent).join('/')}.rewind`;
      const { query } = watching.ownQuery('console', { app, stream });
      return { ...window, playlist: `${path}.m3u8`, thumbnails: `${path}.vtt`, watchQuery: query };
    },
    createClip: ({ app, stream, from, to }) => clips.create({ app, stream }, { from, to }),
  };
}

/** Adds the link query to rows of protected streams. If all streams are open, returns `rows` unchanged: the JSON of `rows` is cached. */
function opened(rows: RecordRow[], watching: Pick<Modules['watching'], 'modeOf' | 'ownQuery'>): RecordRow[] {
  if (rows.every((row) => watching.modeOf(row) === 'open')) return rows;
  return rows.map((row) => {
    const { query } = watching.ownQuery('console', row);
    return query === '' ? row : { ...row, watchQuery: query };
  });
}
