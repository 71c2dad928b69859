// Disables save buttons for three seconds after a click, so that a double click saves once.
import { saveLockMs } from '@srs-stack/contract/constants.ts';
import { useCallback, useEffect, useState } from 'react';

/** Compares times instead of relying on a timer, because timers pause while the form is collapsed. */
export function useSaveLock(): { isLocked: boolean; lock: () => void } {
  const [lockedUntilMs, setLockedUntilMs] = useState(0);
  useEffect(() => {
    if (lockedUntilMs === 0) return;
    const timer = setTimeout(() => setLockedUntilMs(0), Math.max(0, lockedUntilMs - Date.now()));
    return () => clearTimeout(timer);
  }, [lockedUntilMs]);
  const lock = useCallback(() => setLockedUntilMs(Date.now() + saveLockMs), []);
  return { isLocked: lockedUntilMs !== 0, lock };
}
