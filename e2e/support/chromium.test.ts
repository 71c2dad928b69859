import { expect, it } from 'vitest';
import { launchChromium, openPage } from './chromium.ts';

const home = 'http://console.test/';

it('provides one browser for file after file, without data of the previous one', async () => {
  const first = await launchChromium();
  const second = await launchChromium();
  expect(second).not.toBe(first);
  const cookies = async (browser: typeof first) => {
    const { page } = await openPage(browser, 'en-US');
    const found = await page.context().cookies(home);
    await page.context().addCookies([{ name: 'session', value: 'a', url: home }]);
    return found;
  };
  expect(await cookies(first)).toEqual([]);
  await first.close();
  await second.close();
  expect(second.isConnected()).toBe(false);
  const again = await launchChromium();
  expect(again).toBe(first);
  expect(again.contexts()).toEqual([]);
  expect(await cookies(again)).toEqual([]);
  await again.close();
});
