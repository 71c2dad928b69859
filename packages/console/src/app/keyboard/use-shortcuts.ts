// Shortcuts of the console for the whole window. Typing in a field is never a shortcut.
import { useEffect, useRef } from 'react';
import { typeKey } from './key-sequence.ts';

/** Longest pause between the two keys of a shortcut, milliseconds. */
const pauseMs = 1_200;
/** Keys that open the command palette from everywhere, also while typing. */
export const paletteKeys = 'mod k';

/** @param actions by their keys: `?`, `g l`, or `paletteKeys` (Ctrl+K, on a Mac ⌘K). */
export function useShortcuts(actions: ReadonlyMap<string, () => void>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    let pending = '';
    let typedAtMs = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      const keys = keysOf(event);
      if (keys === undefined) return;
      if (event.timeStamp - typedAtMs > pauseMs) pending = '';
      typedAtMs = event.timeStamp;
      const next = typeKey(pending, keys, [...latest.current.keys()]);
      pending = next.pending;
      if (next.completed === undefined) return;
      event.preventDefault();
      latest.current.get(next.completed)?.();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Undefined for keys that are not shortcuts: typed text, other modifiers, an open dialog. */
function keysOf(event: KeyboardEvent): string | undefined {
  if (event.ctrlKey || event.metaKey)
    return event.key.toLowerCase() === 'k' && !event.shiftKey ? paletteKeys : undefined;
  if (event.key.length !== 1 || isTyping(event.target) || document.querySelector('[role="dialog"]')) return undefined;
  return event.key;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select');
}
