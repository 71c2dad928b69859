import { expect, test, vi } from 'vitest';
import { reloadWhenUpgraded, takeUpgradeNotice } from './reload-when-upgraded.ts';

test('a screen of an older build reloads the page once, then the error is shown', () => {
  const reload = vi.fn();
  reloadWhenUpgraded(reload);
  const fail = () => {
    const event = new Event('vite:preloadError', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(fail()).toBe(true);
  expect(fail()).toBe(false);
  expect(reload).toHaveBeenCalledTimes(1);
  expect([takeUpgradeNotice(), takeUpgradeNotice()]).toEqual([true, false]);
});
