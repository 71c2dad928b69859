// Watches the settings files of the control plane, and applies changes without a restart.
import { join } from 'node:path';
import type { Engine } from '@srs-stack/engine';
import { noRewind, parseRewindSettings, rewindSettingsFile } from '@srs-stack/playback/rewind/rewind-settings.ts';
import { watchPageFile } from '@srs-stack/playback/watch-page-looks.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import { watchChannels } from './channel-watch.ts';
import { SwitchedOffSessions } from './component-gate.ts';
import type { GatewayEnv } from './env.ts';
import { parsePageLooks } from './front/watch/page-looks.ts';
import { watchFrontSettings } from './front-settings.ts';
import { watchPulls } from './pull-watch.ts';
import { watchPushes } from './push-watch.ts';
import { SettingsFileWatch } from './settings-file-watch.ts';
import { watchSlates } from './slate-watch.ts';

/** The certificate and the files of HLS, access rules and nodes are watched elsewhere. Ends sessions of switched-off protocols. */
export function watchSettings(env: GatewayEnv, engine: () => Engine, log: Logger) {
  const frontSettings = watchFrontSettings({
    file: join(env.dataDir, 'config', 'front.json'),
    onChange: () => switchedOff.end(),
    log,
  });
  const off = () => frontSettings.current().off;
  const switchedOff = new SwitchedOffSessions({ engine, off, log });
  const pageLooks = new SettingsFileWatch({
    file: join(env.dataDir, 'config', watchPageFile),
    initial: [],
    parse: parsePageLooks,
    log,
  });
  // Without this file, rewind windows are neither recorded nor removed.
  const rewind = new SettingsFileWatch({
    file: join(env.dataDir, 'config', rewindSettingsFile),
    initial: noRewind,
    parse: parseRewindSettings,
    onChange: (isRead) => isRead && engine().configureRewind(rewind.current()),
    log,
  });
  const pushes = watchPushes({ dataDir: env.dataDir, engine, log });
  const pulls = watchPulls({ ...env, engine, log });
  const channels = watchChannels({ ...env, engine, log });
  const slates = watchSlates({ ...env, engine, log });
  const watches = [frontSettings, pageLooks, rewind, pushes, pulls, channels, slates];
  return { frontSettings, switchedOff, off, pageLooks, rewind, watches };
}

export type WatchedSettings = ReturnType<typeof watchSettings>;

/** Resolves when each file has been checked once. */
export async function startSettings({ watches }: WatchedSettings): Promise<void> {
  await Promise.all(watches.map((watch) => watch.start()));
}

export function closeSettings({ switchedOff, watches }: WatchedSettings): void {
  switchedOff.close();
  for (const watch of watches) watch.close();
}
