// Shortcuts of one or two keys in a row, such as "?" and "g l". Pure.

export interface KeySequence {
  /** Keys typed so far that may still become a shortcut, such as `g`. */
  pending: string;
  completed: string | undefined;
}

/** @param sequences shortcuts, each as keys joined by spaces. A key that matches nothing starts a new sequence. */
export function typeKey(pending: string, key: string, sequences: readonly string[]): KeySequence {
  const typed = pending === '' ? key : `${pending} ${key}`;
  if (sequences.includes(typed)) return { pending: '', completed: typed };
  if (sequences.some((sequence) => sequence.startsWith(`${typed} `))) return { pending: typed, completed: undefined };
  return pending === '' ? { pending: '', completed: undefined } : typeKey('', key, sequences);
}
