// Settings of the rewind window of live streams. Stored, and also written to `config/rewind.json`, so that gateways know the settings while
// the control plane is down.
import { changed } from '@srs-stack/contract';
import type { RecordedStream, RewindSettings } from '@srs-stack/playback/rewind/rewind-settings.ts';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { requireRevision } from '../concurrency/settings-revision.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import { holdDocument } from '../store/held-document.ts';
import type { DocumentType, Store } from '../store/store.ts';

type StoredRewind = Pick<RewindSettings, 'minutes' | 'maxBytes' | 'patterns'>;

/** Default size limit of all windows, bytes: one hour of six streams at 4 Mbit/s. */
const defaultMaxBytes = 10 * 1024 ** 3;
/** Maximum length of the patterns in an audit entry, characters. */
const maxShownPatterns = 300;
const readableByAll = 0o644;

const rewindDocument: DocumentType<StoredRewind> = {
  key: 'rewind-settings',
  schema: z.object({ minutes: z.number(), maxBytes: z.number(), patterns: z.array(z.string()) }),
  empty: { minutes: 0, maxBytes: defaultMaxBytes, patterns: [] },
};

export interface RewindSettingsService {
  current(): StoredRewind;
  /** Throws `settingsChanged` when `revision` does not identify the current settings. */
  change(part: Partial<StoredRewind>, actor: Actor, revision?: string): Promise<void>;
  setRecorded(recorded: readonly RecordedStream[]): void;
}

export interface RewindSettingsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly file: string;
}

/** Resolves after the gateways are notified of the stored settings. */
export async function openRewindSettings({
  store,
  audit,
  log,
  file,
}: RewindSettingsDeps): Promise<RewindSettingsService> {
  const held = await holdDocument(store, rewindDocument);
  const changes = createOneAtATime();
  const writes = createOneAtATime();
  let recorded: readonly RecordedStream[] = [];
  const notifyGateways = () =>
    writes(() => writeFileAtomically(file, `${JSON.stringify({ ...held.current(), recorded })}\n`, readableByAll));
  await notifyGateways();
  held.onChange(notifyGateways);
  return {
    current: () => held.current(),
    change: (part, actor, revision) =>
      changes(async () => {
        const before = held.current();
        requireRevision(revision, before);
        await held.replace(before, { ...before, ...part });
        await notifyGateways();
        await audit.record('setting-changed', actor, changeOf(held.current()));
      }),
    setRecorded(next) {
      recorded = next;
      inBackground(notifyGateways(), log, 'the gateways could not be notified of the recorded streams');
    },
  };
}

function changeOf({ minutes, maxBytes, patterns }: StoredRewind) {
  if (minutes === 0) return changed('hls.rewind-off');
  const shown = patterns.join(', ').slice(0, maxShownPatterns) || '*';
  return changed('hls.rewind', {
    minutes: String(minutes),
    gigabytes: (maxBytes / 1024 ** 3).toFixed(1),
    patterns: shown,
  });
}
