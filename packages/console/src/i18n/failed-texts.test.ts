import { afterEach, expect, test, vi } from 'vitest';
import { i18next, loadTexts, startI18n } from './i18n.ts';

const loads = vi.hoisted(() => ({ failures: 0, attempts: 0 }));

vi.mock('./text-files.ts', () => ({
  textFiles: new Map<string, () => Promise<Record<string, string>>>([
    ['zh/common', async () => ({ name: 'common' })],
    [
      'zh/login',
      async () => {
        loads.attempts += 1;
        if (loads.attempts <= loads.failures) throw new TypeError('Failed to fetch dynamically imported module');
        return { password: '密码' };
      },
    ],
  ]),
}));

afterEach(() => {
  vi.useRealTimers();
});

test('texts that failed to load, as when the network changes, are requested again, and no text keys are shown', async () => {
  await startI18n('zh');
  vi.useFakeTimers();
  loads.failures = 2;
  const loaded = loadTexts(['login']);
  await vi.advanceTimersByTimeAsync(5_000);
  await loaded;
  expect(loads.attempts).toBe(3);
  expect(i18next.t('login:password' as never)).toBe('密码');
});
