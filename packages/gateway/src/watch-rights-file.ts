// Watches `config/watching.json`: the access rules, and other settings of the control plane. If the first version of the file is
// unreadable, all viewers are refused.
import { WatchRights } from '@srs-stack/playback/access/watch-rights.ts';
import { noWatchSettings, parseWatchSettings, type WatchSettings } from '@srs-stack/playback/access/watch-settings.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import { SettingsFileWatch } from './settings-file-watch.ts';

export interface WatchRightsState {
  /** Undefined when the rules are unreadable; all viewers are then refused. Without a file, every stream is open. */
  readonly rights: WatchRights | undefined;
  /** True when the rules decide without a request to the control plane. */
  readonly isWholeVerdict: boolean;
  readonly isReportingOn: boolean;
}

export interface WatchRightsFileOptions {
  /** Absolute path. */
  readonly file: string;
  readonly onChange: (isRead: boolean) => void;
  readonly log: Logger;
}

export function watchRightsFile(options: WatchRightsFileOptions): SettingsFileWatch<WatchRightsState> {
  const initial = toState(noWatchSettings);
  return new SettingsFileWatch({
    ...options,
    initial,
    unreadable: { ...initial, rights: undefined },
    parse: (text) => toState(parseWatchSettings(text)),
  });
}

function toState(settings: WatchSettings): WatchRightsState {
  const { isWholeVerdict, viewerReports } = settings;
  return { rights: new WatchRights(settings), isWholeVerdict, isReportingOn: viewerReports };
}
