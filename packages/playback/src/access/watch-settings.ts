// Access rules, written by the control plane for the gateways of its machine: `config/watching.json`. Plain, because a
// gateway loads no schemas. It contains secrets, so only its owner may read it.

/** `open`: anyone who knows the name. `verdict`: the operator's own service decides. */
export const watchModes = ['open', 'signed', 'password', 'verdict'] as const;
export type WatchMode = (typeof watchModes)[number];

/** Below the folder `config/` of the data folder. */
export const watchSettingsFile = 'watching.json';

export interface WatchRule {
  /** `app/stream` with `*` for any characters. */
  readonly pattern: string;
  readonly mode: WatchMode;
  /** Changes with the password and invalidates earlier grants; '' without a password. */
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
  /** Secret for the servers' own signatures; '' until a rule or key is set. */
  readonly serverSecret: string;
  /** Whether players report playback quality. */
  readonly viewerReports: boolean;
  /**
   * True: the gateway decides with this file and reports to the control plane afterwards. False for external control planes, which
   * write no such file and may have their own rules.
   */
  readonly isWholeVerdict: boolean;
}

export const noWatchSettings: WatchSettings = {
  ...{ rules: [], keys: [], serverSecret: '' },
  ...{ viewerReports: true, isWholeVerdict: false },
};

/** @throws when the text is invalid: a rule that cannot be parsed must not open anything. */
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
    throw new Error('a rule is invalid');
  return { pattern, mode: known, passwordVersion };
}

function toKey(entry: unknown): WatchKey {
  const { id, secret } = (entry ?? {}) as Record<keyof WatchKey, unknown>;
  if (typeof id !== 'string' || typeof secret !== 'string') throw new Error('a key is invalid');
  return { id, secret };
}
