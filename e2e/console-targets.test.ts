// Many targets on the Forward page, in Chromium and in both languages. nginx is the external server.
// Covers the import of a list, groups, metrics of each target, and tests that name the failed step.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium } from './support/chromium.ts';
import { type ConsolePage, field, openConsole, textsOf } from './support/console.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { packetsOf } from './support/ffprobe.ts';
import { missingNginxRtmp, type NginxTarget, startNginxTarget } from './support/nginx-target.ts';
import { type Product, startProduct } from './support/product.ts';
import { recordSeconds } from './support/recording.ts';
import { createAuthority } from './support/test-authority.ts';
import { until } from './support/until.ts';

const missing = missingNginxRtmp();

describe.skipIf(missing)(`many targets to nginx${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let browser: Browser;
  let product: Product;
  let admin: Admin;
  let nginx: NginxTarget;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'srs-stack-targets-'));
    browser = await launchChromium();
    const [known, unknown] = await Promise.all([createAuthority(folder, 'known'), createAuthority(folder, 'unknown')]);
    nginx = await startNginxTarget(await Promise.all([known.sign('localhost'), unknown.sign('localhost')]));
    product = await startProduct({ FORWARD_WITH: 'engine', NODE_EXTRA_CA_CERTS: known.file });
    admin = await setUp(product, 'console targets password');
  });
  afterAll(async () => {
    await product?.remove();
    await nginx?.close();
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  describe.each(['zh', 'en'] as const)('in %s', (language) => {
    const forward = textsOf(language, 'features/forwards');
    const target = textsOf(language, 'shared/push-target');
    const common = textsOf(language, 'shared/common');
    const worker = textsOf(language, 'shared/worker');
    const errors = textsOf(language, 'shared/errors');
    const counted = (key: string, count: number) => forward(`${key}_other`, { count: String(count) });
    let console: ConsolePage;

    beforeEach(async () => {
      console = await openConsole(browser, product, admin, language);
    });
    afterEach(async () => {
      const found = [...console.errors];
      await console.close();
      for (const platform of Object.keys((await admin.call(endpoints.forwardSecret, {})) ?? {}))
        await admin.call(endpoints.removeForward, { platform });
      await stopAllFfmpeg();
      expect(found).toEqual([]);
    });

    test('a list is imported after a preview; a group starts and shows its metrics, and all targets are stopped', async () => {
      const { page } = console;
      await console.open('forward');
      await page.getByRole('button', { name: forward('list.button') }).click();
      const list = [
        'name,server,key,group',
        `First,${nginx.rtmp},first-${language},Pair`,
        `Second,${nginx.rtmp},second-${language},Pair`,
        'Wrong,http://localhost/live,key,Pair',
        'Alone,rtmp://127.0.0.1:1/live,key,',
      ];
      await page.getByRole('textbox', { name: forward('list.field'), exact: true }).fill(list.join('\n'));
      await page.getByRole('button', { name: forward('list.preview') }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(forward('list.fine'), { exact: true }).first().waitFor();
      const states = await dialog.locator('tbody tr td:last-child').allTextContents();
      expect(states.map((text) => text === forward('list.fine'))).toEqual([true, true, false, true]);
      expect(await admin.call(endpoints.forwardSecret, {})).toEqual({});
      await dialog.getByRole('button', { name: counted('list.import', 3) }).click();
      await page.getByText(counted('list.added', 3)).waitFor();
      const saved = Object.values((await admin.call(endpoints.forwardSecret, {})) ?? {});
      expect(saved.map(({ label, enabled }) => [label, enabled])).toEqual([
        ['First', false],
        ['Second', false],
        ['Alone', false],
      ]);

      publishTestSource(product.rtmpUrl(`source?${admin.publishQuery}`), { video: {}, audio: {} });
      const status = await console.section(forward('status.title'));
      await status.getByRole('button', { name: forward('switches.startGroup', { name: 'Pair' }) }).click();
      const rowOf = (name: string) => status.locator('tbody').filter({ hasText: name });
      for (const name of ['First', 'Second']) {
        await rowOf(name).getByRole('status').getByText(forward('forwarding'), { exact: true }).waitFor();
        await rowOf(name).getByText(worker('push.delay'), { exact: true }).waitFor();
        const curve = rowOf(name).getByRole('img').first();
        // The bitrate is known after five seconds, and the page polls every ten seconds.
        await until(`${name} shows its bitrate`, async () =>
          /[1-9]/.test((await curve.getAttribute('aria-label')) ?? ''),
        );
        for (const fact of ['dropped', 'reconnects']) {
          const value = rowOf(name)
            .locator('dt', { hasText: worker(`push.${fact}`) })
            .locator('+ dd');
          expect(await value.textContent()).toBe('0');
        }
      }
      await rowOf('Alone').getByRole('status').getByText(worker('phase.inactive'), { exact: true }).waitFor();
      const { received } = await recordSeconds(`${nginx.rtmp}/second-${language}`, folder, 3);
      expect(packetsOf(received, 'video').length).toBeGreaterThan(20);

      await status.getByRole('button', { name: forward('switches.stopAll') }).click();
      await page.getByText(counted('switches.stopAllText', 2)).waitFor();
      await page.getByRole('button', { name: common('confirm.continue') }).click();
      for (const name of ['First', 'Second'])
        await rowOf(name).getByRole('status').getByText(worker('phase.inactive'), { exact: true }).waitFor();
    });

    test('a test passes every step, or names the one that failed', async () => {
      const { page } = console;
      const [trusted = '', untrusted = ''] = nginx.rtmps;
      await console.open('forward');
      await page.getByRole('button', { name: forward('add') }).click();
      const form = await console.section(target('unnamed'));
      const steps = form.getByRole('list', { name: forward('test.label') });
      const stateOf = (step: string) => steps.locator(`li[data-step="${step}"]`);
      const run = async (server: string) => {
        await field(form, target('server')).fill(server);
        await form.getByRole('button', { name: forward('test.button') }).click();
      };
      await field(form, target('key')).fill(`tested-${language}`);
      await field(form, target('server')).fill(trusted);
      await form.getByText(forward('test.sendsBlack'), { exact: true }).click();
      await run(trusted);
      for (const step of ['name', 'port', 'tls', 'connect', 'publish', 'media'])
        await stateOf(step).getByText(forward('test.state.passed')).waitFor();

      await run(untrusted);
      await stateOf('tls').getByText(worker('reason.tls-failed.what')).waitFor();
      expect(await stateOf('port').getAttribute('data-state')).toBe('passed');
      expect(await stateOf('publish').getAttribute('data-state')).toBe('skipped');

      await run('rtmp://no-such-host.invalid/live');
      await stateOf('name').getByText(worker('reason.host-unknown.what')).waitFor();
      await run('rtmp://127.0.0.1:1/live');
      await stateOf('port').getByText(worker('reason.connection-refused.what')).waitFor();
      await run('rtmp://169.254.169.254/live');
      await page.getByText(errors('explained.addressRefused.what')).waitFor();
      expect(product.output()).not.toContain(`tested-${language}`);
    });

    test('a platform fills in server and name, and shows where to find its key', async () => {
      const { page } = console;
      await console.open('forward');
      await page.getByRole('button', { name: forward('add') }).click();
      const form = await console.section(target('unnamed'));
      const choose = async (name: string) => {
        await field(form, target('platform.label')).click();
        await field(form, target('platform.label')).fill(name);
        await page.getByRole('option', { name, exact: true }).click();
      };
      await choose('YouTube');
      expect(await field(form, target('server')).inputValue()).toMatch(/^rtmps:\/\/a\.rtmps\.youtube\.com/);
      expect(await field(form, target('label.required')).inputValue()).toBe('YouTube');
      await form.getByRole('button', { name: target('help.title') }).click();
      await form.getByRole('link', { name: target('help.open', { name: 'YouTube' }) }).waitFor();
      await choose('TikTok');
      expect(await field(form, target('server')).inputValue()).toBe('');
      await form.getByRole('link', { name: target('help.open', { name: 'TikTok' }) }).waitFor();
    });
  });
});
