// Who may watch what, as the control plane writes it for the gateways of its machine: `config/watching.json`. Plain, because a
// gateway loads no schemas. Secrets are in it, so the file is its owner's alone.

/** `open`: whoever knows the name. `verdict`: the operator's own service is asked. */
export const watchModes = ['open', 'signed', 'password', 'verdict'] as const;
export type WatchMode = (typeof watchModes)[number];

/** Below the folder `config/` of the data folder. */
export const watchSettingsFile = 'watching.json';

export interface WatchRule {
  /** `app/stream` with `*` for any characters. */
  readonly pattern: string;
  readonly mode: WatchMode;
  /** Changes with the password, and ends what was opened with the one before; '' without one. */
  readonly passwordVersion: string;
}

/** A key that the operator signs links with. */
export interface WatchKey {
  /** Lower-case letters and digits. */
  readonly id: string;
  /** Its characters, as UTF-8, are the key of the HMAC. */
  readonly secret: string;
}

export interface WatchSettings {
  readonly rules: readonly WatchRule[];
  readonly keys: readonly WatchKey[];
  /** What the servers sign for themselves and for viewers who gave a password; '' while nothing was ever set. */
  readonly serverSecret: string;
  /** Whether players shall report how streams play. */
  readonly viewerReports: boolean;
  /**
   * A gateway that has judged a viewer by this need not ask about it: the control plane is told afterwards. False for control planes that
   * write no such file, and may have rules of their own.
   */
  readonly isWholeVerdict: boolean;
}

export const noWatchSettings: WatchSettings = {
  ...{ rules: [], keys: [], serverSecret: '' },
  ...{ viewerReports: true, isWholeVerdict: false },
};

/** @throws when the text is not what the control plane writes: a rule that is not understood must not open anything. */
export function parseWatchSettings(text: string): WatchSettings {
  const read = JSON.parse(text) as Record<keyof WatchSettings, unknown>;
  const { rules, keys, serverSecret, viewerReports, isWholeVerdict } = read;
  if (!Array.isArray(rules) || !Array.isArray(keys) || typeof serverSecret !== 'string') {
    throw new Error('rules, keys and serverSecret are missing');
  }
  return {
    ...{ rules: rules.map(toRule), keys: keys.map(toKey), serverSecret },
    ...{ viewerReports: viewerReports !== false, isWholeVerdict: isWholeVerdict === true },
  };
}

function toRule(entry: unknown): WatchRule {
  const { pattern, mode, passwordVersion } = (entry ?? {}) as Record<keyof WatchRule, unknown>;
  const known = watchModes.find((name) => name === mode);
  if (typeof pattern !== 'string' || !known || typeof passwordVersion !== 'string')
    throw new Error('a rule is damaged');
  return { pattern, mode: known, passwordVersion };
}

function toKey(entry: unknown): WatchKey {
  const { id, secret } = (entry ?? {}) as Record<keyof WatchKey, unknown>;
  if (typeof id !== 'string' || typeof secret !== 'string') throw new Error('a key is damaged');
  return { id, secret };
}
