// HLS delivery settings. Stored only after the media server has accepted them, so that the console shows the settings in use.
import { AppError, changed, switched } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { requireRevision } from '../concurrency/settings-revision.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { DocumentType, Store } from '../store/store.ts';
import { PartlyReloaded } from './media-server.ts';

export interface HlsSettings {
  /** Omits session contexts (`hls_ctx` of SRS) from playlists, so that any HTTP cache can deliver playlists. */
  readonly noHlsCtx: boolean;
  readonly hlsLowLatency: boolean;
}

const hlsSettingsDocument: DocumentType<HlsSettings> = {
  key: 'hls-settings',
  schema: z.object({ noHlsCtx: z.boolean(), hlsLowLatency: z.boolean() }),
  empty: { noHlsCtx: false, hlsLowLatency: false },
};

export interface HlsSettingsService {
  current(): Promise<HlsSettings>;
  /**
   * Throws `settingsChanged` for an outdated revision. Throws `mediaServerUnreachable` and changes nothing if the media server does not
   * accept the settings.
   */
  change(part: Partial<HlsSettings>, actor: Actor, revision?: string): Promise<void>;
  /** Switches all of HLS on or off. Throws `mediaServerUnreachable` like `change`. */
  setEnabled(isEnabled: boolean): Promise<void>;
  /** Writes the configuration and notifies a running media server: at the start, and when another node has saved the settings. */
  apply(): Promise<void>;
}

export interface HlsSettingsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly config: { write(settings: HlsSettings & { isEnabled: boolean }): Promise<boolean> };
  readonly isEnabled: boolean;
  readonly mediaServer: { reload(): Promise<void> };
}

export function createHlsSettings(deps: HlsSettingsDeps): HlsSettingsService {
  const { store, audit, log, config, mediaServer } = deps;
  const oneAtATime = createOneAtATime();
  let { isEnabled } = deps;
  const current = () => store.get(hlsSettingsDocument);
  const takeOver = async (before: HlsSettings & { isEnabled: boolean }, next: typeof before): Promise<void> => {
    await config.write(next);
    try {
      await mediaServer.reload();
    } catch (error) {
      await config.write(before);
      if (error instanceof PartlyReloaded) await mediaServer.reload().catch(ignoreRefusal);
      throw error;
    }
  };
  const apply = () =>
    oneAtATime(async () => {
      const hasChanged = await config.write({ ...(await current()), isEnabled });
      if (!hasChanged) return;
      await mediaServer.reload().catch((error) => {
        log.debug(
          { reason: (error as Error).message },
          'media server could not be notified of its new configuration and will read it at its start',
        );
      });
    });
  // Each node configures its own gateways, so changes of other nodes must be applied here.
  store.subscribe(async (change) => {
    const isThis = change.kind === 'document' && change.key === hlsSettingsDocument.key;
    if (isThis || change.kind === 'anything') await apply();
  });
  return {
    current,
    apply,
    setEnabled: (next) =>
      oneAtATime(async () => {
        const settings = await current();
        await takeOver({ ...settings, isEnabled }, { ...settings, isEnabled: next });
        isEnabled = next;
      }),
    change: (part, actor, revision) =>
      oneAtATime(async () => {
        const { value: before, revision: stored } = await store.read(hlsSettingsDocument);
        // Each switch of the page is a separate setting, so only the changed fields are compared.
        for (const key of Object.keys(part) as (keyof HlsSettings)[]) requireRevision(revision, before[key]);
        const next = { ...before, ...part };
        await takeOver({ ...before, isEnabled }, { ...next, isEnabled });
        await store.set(hlsSettingsDocument, next, stored);
        await recordChange(audit, part, actor);
      }),
  };
}

async function recordChange(
  audit: AuditTrail,
  { noHlsCtx, hlsLowLatency }: Partial<HlsSettings>,
  actor: Actor,
): Promise<void> {
  if (noHlsCtx !== undefined)
    await audit.record('setting-changed', actor, changed('hls.no-contexts', { state: switched(noHlsCtx) }));
  if (hlsLowLatency !== undefined)
    await audit.record('setting-changed', actor, changed('hls.low-latency', { state: switched(hlsLowLatency) }));
}

/** Ignores an AppError, because an earlier error already names the servers that failed. Rethrows bugs. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}
