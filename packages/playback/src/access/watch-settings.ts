// Access rules: the control plane writes `config/watching.json` for the gateways of its machine. Only the owner may read the file, because
// it contains secrets. Parsed without schemas, because a gateway loads no schema library.

/** `open`: anyone who knows the name may watch. `verdict`: the operator's service decides. */
export const watchModes = ['open', 'signed', 'password', 'verdict'] as const;
export type WatchMode = (typeof watchModes)[number];

export const watchSettingsFile = 'watching.json';

export interface WatchRule {
  /** `app/stream`; `*` matches any characters. */
  readonly pattern: string;
  readonly mode: WatchMode;
  /** A new password gets a new version, which invalidates earlier authorizations. '' without a password. */
  readonly passwordVersion: string;
}

/** A key with which the operator signs links. */
export interface WatchKey {
  /** Lower-case letters and digits. */
  readonly id: string;
  /** The UTF-8 bytes of this text are the key of the HMAC. */
  readonly secret: string;
}

export interface WatchSettings {
  readonly rules: readonly WatchRule[];
  readonly keys: readonly WatchKey[];
  /** Secret for signatures of the servers; '' until a rule or key is set. */
  readonly serverSecret: string;
  readonly viewerReports: boolean;
  /**
   * True: the gateway decides with this file alone and reports afterwards. False for external control planes, which may have further rules.
   */
  readonly isWholeVerdict: boolean;
}

export const noWatchSettings: WatchSettings = {
  ...{ rules: [], keys: [], serverSecret: '' },
  ...{ viewerReports: true, isWholeVerdict: false },
};

/** @throws for an invalid text, because an unparsable rule must not open a stream. */
export function parseWatchSettings(text: string): WatchSettings {
  const read = JSON.parse(text) as Record<keyof WatchSettings, unknown>;
  const { rules, keys, serverSecret, viewerReports, isWholeVerdict } = read;
  if (!Array.isArray(rules) || !Array.isArray(keys) || typeof serverSecret !== 'string') {
    throw new Error('the field `rules`, `keys` or `serverSecret` is missing or has the wrong type');
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
    throw new Error('an entry of `rules` lacks `pattern`, `mode` or `passwordVersion`, or one of them is invalid');
  return { pattern, mode: known, passwordVersion };
}

function toKey(entry: unknown): WatchKey {
  const { id, secret } = (entry ?? {}) as Record<keyof WatchKey, unknown>;
  if (typeof id !== 'string' || typeof secret !== 'string')
    throw new Error('an entry of `keys` lacks `id` or `secret`, or one of them is not a string');
  return { id, secret };
}
