// Reads and watches `config/front.json`, which the control plane writes: target of /, proxied paths, switched-off protocols, and whether an
// admin password is set.
import type { ProxyLocation as StoredLocation } from '@srs-stack/contract';
import type { FrontSettings as StoredSettings } from '@srs-stack/contract/wire/front-settings.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import { SettingsFileWatch } from './settings-file-watch.ts';

const defaultHome = '/mgmt';

/** A path of the public server that is proxied to another web server. */
export interface ProxyLocation {
  /** Without a trailing slash. */
  readonly path: string;
  readonly backend: URL;
  /** True when the backend URL has a path, even `/`. That path then replaces `path` in requests. */
  readonly replacesPath: boolean;
}

export interface FrontSettings {
  readonly home: string;
  /** Sorted, longest path first. */
  readonly locations: readonly ProxyLocation[];
  readonly off: ReadonlySet<string>;
  readonly initialised: boolean;
}

type Unchecked<T> = { readonly [Key in keyof T]?: unknown };

const defaults: FrontSettings = { home: defaultHome, locations: [], off: new Set(), initialised: false };

export interface FrontSettingsOptions {
  readonly file: string;
  readonly onChange: () => void;
  readonly log: Logger;
}

export function watchFrontSettings(options: FrontSettingsOptions): SettingsFileWatch<FrontSettings> {
  return new SettingsFileWatch({ ...options, initial: defaults, parse: parseFrontSettings });
}

/** Skips invalid entries silently, because the control plane has validated the file. @throws when the text is not JSON or is `null`. */
export function parseFrontSettings(text: string): FrontSettings {
  const { home, locations, off, initialised } = JSON.parse(text) as Unchecked<StoredSettings>;
  return {
    home: typeof home === 'string' && home !== '' && home !== '/' ? home : defaultHome,
    locations: asArray(locations)
      .flatMap(toLocation)
      .sort((a, b) => b.path.length - a.path.length),
    off: new Set(asArray(off).filter((name) => typeof name === 'string')),
    initialised: initialised === true,
  };
}

/** The location with the longest path that is `pathname` or a parent folder of `pathname`. */
export function findLocation(locations: readonly ProxyLocation[], pathname: string): ProxyLocation | undefined {
  return locations.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
}

function toLocation(entry: unknown): ProxyLocation[] {
  const { location, backend } = (entry ?? {}) as Unchecked<StoredLocation>;
  const url = typeof backend === 'string' ? URL.parse(backend) : null;
  if (typeof location !== 'string' || !location.startsWith('/') || !url || !/^https?:$/.test(url.protocol)) return [];
  const replacesPath = url.pathname !== '/' || String(backend).endsWith('/');
  return [{ path: location.replace(/\/$/, ''), backend: url, replacesPath }];
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
