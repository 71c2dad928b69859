// Shortcuts of one or two keys in a row ("?", "g l"): finds the one that a typed key completes. Pure.

export interface KeySequence {
  /** Keys typed so far that may still become a shortcut, e.g. `g`. */
  pending: string;
  /** The shortcut that was completed. */
  completed: string | undefined;
}

/** `sequences` are keys joined by a space. A key that matches nothing starts a new sequence. */
export function typeKey(pending: string, key: string, sequences: readonly string[]): KeySequence {
  const typed = pending === '' ? key : `${pending} ${key}`;
  if (sequences.includes(typed)) return { pending: '', completed: typed };
  if (sequences.some((sequence) => sequence.startsWith(`${typed} `))) return { pending: typed, completed: undefined };
  return pending === '' ? { pending: '', completed: undefined } : typeKey('', key, sequences);
}
