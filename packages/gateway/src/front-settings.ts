// `config/front.json`, which the control plane writes: where / leads, which paths other web servers answer, which protocols
// are switched off. Looked at a few times per second, so that a change applies at once and no restart is needed.
import { readFile, stat } from 'node:fs/promises';
import type { ProxyLocation as StoredLocation } from '@srs-stack/contract';
import type { FrontSettings as StoredSettings } from '@srs-stack/contract/wire/front-settings.ts';
import type { Logger } from '@srs-stack/process/logger.ts';

/** Between two looks at the file, milliseconds: one stat call; an operator sees a change take effect at once. */
const lookEveryMs = 250;
const defaultHome = '/mgmt';

/** A path of the public server that another web server answers. */
export interface ProxyLocation {
  /** Without a trailing slash. */
  readonly path: string;
  readonly backend: URL;
  /** Whether the backend has a path of its own, which then replaces `path`. */
  readonly replacesPath: boolean;
}

export interface FrontSettings {
  readonly home: string;
  /** Longest path first. */
  readonly locations: readonly ProxyLocation[];
  readonly off: ReadonlySet<string>;
  /** Whether an admin password is set. */
  readonly initialised: boolean;
}

/** What a file should hold, before anything of it was looked at. */
type Unchecked<T> = { readonly [Key in keyof T]?: unknown };

const defaults: FrontSettings = { home: defaultHome, locations: [], off: new Set(), initialised: false };

export interface FrontSettingsOptions {
  readonly file: string;
  /** Hears of settings that are new, after they apply. */
  readonly onChange: (next: FrontSettings) => void;
  readonly log: Logger;
}

/** Begins to look at the file; `close` ends that. */
export class FrontSettingsWatch {
  readonly #options: FrontSettingsOptions;
  readonly #timer: NodeJS.Timeout;
  #settings = defaults;
  #seenVersion = '';
  #looking = Promise.resolve();

  constructor(options: FrontSettingsOptions) {
    this.#options = options;
    const { file, log } = options;
    const onFailure = (error: unknown): void => log.error({ file, err: error }, 'front settings not looked at');
    this.#timer = setInterval(() => {
      this.reload().catch(onFailure);
    }, lookEveryMs).unref();
  }

  current(): FrontSettings {
    return this.#settings;
  }

  /** Looks at the file now. */
  reload(): Promise<void> {
    const look = (): Promise<void> => this.#look();
    this.#looking = this.#looking.then(look, look);
    return this.#looking;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const { file, onChange, log } = this.#options;
    const version = await versionOf(file);
    if (version === this.#seenVersion) return;
    this.#seenVersion = version;
    // A file that is gone keeps what applies: the control plane writes it again at its start.
    if (version === '') return;
    try {
      this.#settings = parseFrontSettings(await readFile(file, 'utf8'));
      onChange(this.#settings);
    } catch (error) {
      log.error({ file, reason: (error as Error).message }, 'front settings not readable, the ones before apply');
    }
  }
}

/** Entries that make no sense are left out: the control plane checks what it writes. @throws when it is no JSON object. */
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

/** The location a path belongs to: the longest that equals it or is a folder above it. */
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

async function versionOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(file);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return '';
  }
}
