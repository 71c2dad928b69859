// Rules of local recording: on or off for all streams, name filters, folder for copies. The plan overrides the rules, and the choice for a
// stream overrides the plan (docs/decisions/recording.md).
import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { AppError, because, changed, type RecordRules, type SettingChange, switched } from '@srs-stack/contract';
import { resolveInside } from '@srs-stack/process/data-folder.ts';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { holdDocument } from '../../store/held-document.ts';
import type { DocumentType, Store } from '../../store/store.ts';
import { checkFilters, passesFilters } from './name-filter.ts';
import type { PlanWindow } from './plan-windows.ts';
import { openRecordChoices } from './record-choices.ts';
import { openRecordPlan, type RecordPlan } from './record-plan.ts';

type StoredRules = Omit<RecordRules, 'home' | 'directory'>;

const rulesDocument: DocumentType<StoredRules> = {
  key: 'record-rules',
  schema: z.object({ all: z.boolean(), globs: z.array(z.string()), processCpDir: z.string() }),
  empty: { all: false, globs: [], processCpDir: '' },
};

/** Default folder as operators write it: `/data` means the data folder. */
const home = '/data/record';
/** Prefixes that mean the data folder; `containers/data` is from existing scripts. */
const dataPrefix = /^(?:\/data|(?:\.\/)?containers\/data)(?:\/|$)/;

export interface RecordRulesService {
  current(): RecordRules;
  readonly plan: RecordPlan;
  /**
   * Whether to record the stream. The choice for this stream overrides the plan, and the plan overrides the rules. @param span time span of
   * the media; absent: now.
   */
  admits(source: { app: string; stream: string }, span?: PlanWindow): boolean;
  /** Whether recording is on for the stream. If recording is off, a running recording ends 30 s after its last segment. */
  waits(source: { app: string; stream: string }): boolean;
  choiceOf(source: { app: string; stream: string }): boolean | undefined;
  choose(source: { app: string; stream: string }, record: boolean, actor: Actor): Promise<void>;
  apply(all: boolean, actor: Actor): Promise<void>;
  changeGlobs(globs: readonly string[], actor: Actor): Promise<void>;
  changeCopyFolder(folder: string, actor: Actor): Promise<void>;
  /** Real path of the folder for copies; undefined if copies are off. Throws `fileNotFound` for a missing folder. */
  copyFolder(): Promise<string | undefined>;
}

export async function openRecordRules(deps: {
  store: Store;
  audit: AuditTrail;
  dataDir: string;
  now: () => Date;
}): Promise<RecordRulesService> {
  const { store, audit, dataDir, now } = deps;
  const directory = resolve(dataDir, 'record');
  const oneAtATime = createOneAtATime();
  const rules = await holdDocument(store, rulesDocument);
  const choices = await openRecordChoices({ store, audit, now });
  const plan = await openRecordPlan({ store, audit, now });
  const byRules = ({ app, stream }: { app: string; stream: string }) =>
    rules.current().all && passesFilters(rules.current().globs, `/${app}/${stream}`);
  const byPlan = plannedBy(plan, now);

  const change = (part: Partial<StoredRules>, actor: Actor, detail: SettingChange) =>
    oneAtATime(async () => {
      await rules.replace(rules.current(), { ...rules.current(), ...part });
      await audit.record('setting-changed', actor, detail);
    });

  return {
    current: () => ({ ...rules.current(), home, directory }),
    plan,
    admits: (source, span) => choices.of(source, span?.fromMs) ?? byPlan(source, span) ?? byRules(source),
    waits: (source) => choices.of(source) ?? byPlan(source) ?? rules.current().all,
    choiceOf: (source) => choices.of(source),
    choose(source, record, actor) {
      const untilMs = plan.governs(source) ? plan.nextChangeMs(source) : undefined;
      return choices.choose(source, { record, byRules: byPlan(source) ?? byRules(source), untilMs }, actor);
    },
    apply: (all, actor) => change({ all }, actor, changed('record.all', { state: switched(all) })),
    async changeGlobs(globs, actor) {
      const kept = globs.filter((glob) => glob !== '');
      checkFilters(kept);
      const detail =
        kept.length > 0 ? changed('record.filters', { globs: kept.join(' ') }) : changed('record.no-filters');
      await change({ globs: kept }, actor, detail);
    },
    async changeCopyFolder(folder, actor) {
      if (folder !== '') await findFolder(dataDir, folder);
      const detail = folder === '' ? changed('record.no-copies') : changed('record.copies', { folder });
      await change({ processCpDir: folder }, actor, detail);
    },
    async copyFolder() {
      const { processCpDir } = rules.current();
      return processCpDir === '' ? undefined : findFolder(dataDir, processCpDir);
    },
  };
}

/** Whether the plan records a stream now or during `span`; undefined for streams outside the plan. */
function plannedBy(plan: RecordPlan, now: () => Date) {
  return (source: { app: string; stream: string }, span?: PlanWindow): boolean | undefined => {
    const nowMs = now().getTime();
    if (!plan.governs(source)) return undefined;
    return plan.entryAt(source, span ?? { fromMs: nowMs, toMs: nowMs + 1 }) !== undefined;
  };
}

/** The real path of a folder inside the data folder. Throws `fileNotFound`. */
async function findFolder(dataDir: string, folder: string): Promise<string> {
  const below = folder.replace(dataPrefix, '');
  const isOutside = isAbsolute(below) && below === folder;
  const path = isOutside ? undefined : await resolveInside(dataDir, join('.', below));
  const isFolder = path !== undefined && (await stat(path)).isDirectory();
  if (!isFolder) throw new AppError('fileNotFound', because('file.not-a-folder', { folder }));
  return path;
}
