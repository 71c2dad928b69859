// Simulates a browser that cannot store the session.
import { storageKeys } from '@srs-stack/contract';
import { vi } from 'vitest';

/** Applies until the test ends (`vi.unstubAllGlobals` in the setup file). */
export function keepNoSession(): void {
  const real = localStorage;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => real.getItem(key),
    removeItem: (key: string) => real.removeItem(key),
    setItem: (key: string, value: string) => {
      if (key === storageKeys.token) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      real.setItem(key, value);
    },
  });
}
