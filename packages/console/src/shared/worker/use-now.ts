// The clock for texts that count seconds: a new value every second while one is shown.
import { useEffect, useState } from 'react';

const tickMs = 1_000;

/** Epoch milliseconds; constant while `isTicking` is false. */
export function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isTicking]);
  return isTicking ? now : Date.now();
}
