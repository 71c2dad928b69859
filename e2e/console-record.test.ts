// The Record page in a real browser. A recording plays while it grows and after it is finished.
// Old recordings are deleted as configured.
import { endpoints, supportedLocales } from '@srs-stack/contract';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, movingTestVideo } from './support/chromium.ts';
import { field, openConsole, textsOf } from './support/console.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { finished, recording } from './support/record-rows.ts';

let browser: Browser;
let product: Product;
let admin: Admin;
beforeAll(async () => {
  [browser, product] = await Promise.all([launchChromium(), startProduct()]);
  admin = await setUp(product, 'console record password');
  await admin.call(endpoints.applyRecord, { all: true });
});
afterEach(stopAllFfmpeg);
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});

/** Runs in the page. Resolves when the video plays without a click and is scrolled into view. */
const isPlayingInView = async (video: HTMLVideoElement) => {
  const seen = new Promise<void>((resolve) => {
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(video);
  });
  const playing = new Promise<void>((resolve) => {
    if (!video.paused && video.currentTime > 0) resolve();
    video.addEventListener('timeupdate', () => !video.paused && resolve());
  });
  await Promise.all([seen, playing]);
};

describe.each(supportedLocales)('the record page in %s', (language) => {
  test('plays a recording in progress and a finished one', async () => {
    const text = textsOf(language, 'features/records');
    const stream = `page-${language}`;
    const name = `live/${stream}`;
    const playName = text('row.play', { name });
    const publisher = publishTestSource(product.rtmpUrl(`${stream}?${admin.publishQuery}`), { video: {}, audio: {} });
    const { uuid } = await recording(admin, stream, 3);
    const { page, errors, open, close } = await openConsole(browser, product, admin, language);
    await open('record');
    const row = page.locator('li', { hasText: name });
    await row.getByText(text('state.recording')).waitFor();
    await row.getByRole('button', { name: playName }).click();
    await row.locator('video').evaluate(isPlayingInView);
    await movingTestVideo(page);

    await admin.call(endpoints.endRecord, { uuid });
    await publisher.stop();
    await finished(admin, uuid);
    await page.reload();
    const done = page.locator('li', { has: page.locator(`a[href*="${uuid}"]`) });
    await done.getByText(text('state.done')).waitFor();
    await done.getByRole('button', { name: playName }).click();
    await done.locator('video').evaluate(isPlayingInView);
    await movingTestVideo(page);
    expect(errors).toEqual([]);
    await close();
  });

  test('a planned stream, a kept recording with a title, and snapshots', async () => {
    const [text, snapshots] = [textsOf(language, 'features/records'), textsOf(language, 'shared/snapshots')];
    const stream = `planned-${language}`;
    const name = `live/${stream}`;
    publishTestSource(product.rtmpUrl(`${stream}?${admin.publishQuery}`), { video: {}, audio: {} });
    const { uuid } = await recording(admin, stream);
    await admin.call(endpoints.takeSnapshot, { app: 'live', stream });
    const { page, errors, open, section, close } = await openConsole(browser, product, admin, language);
    await open('record');
    const row = page.locator('li', { hasText: name }).first();
    await row.getByRole('button', { name: text('label.keepOf', { name }) }).click();
    await row.getByText(text('label.kept'), { exact: true }).waitFor();
    await row.getByRole('button', { name: text('row.play', { name }) }).click();
    await field(row, text('label.title')).fill('Finals');
    await row.getByRole('button', { name: text('label.save') }).click();
    await row.getByText('Finals', { exact: true }).waitFor();
    await field(page, text('list.search')).fill('finals');
    await page.getByRole('switch', { name: text('filter.kept') }).click({ force: true });
    await row.waitFor();
    const [saved] = await admin.call(endpoints.queryRecordFiles, { search: `finals ${stream}`, kept: true });
    expect(saved?.uuid).toBe(uuid);

    // A weekday that is at least a day ahead in every time zone.
    const day = ((new Date().getUTCDay() + 2) % 7) + 1;
    const plan = await section(text('plan.title'));
    await plan.getByRole('button', { name: text('plan.add') }).click();
    await field(plan, text('plan.glob')).fill(`/live/night-${language}`);
    await plan.getByLabel(text(`plan.day.${day}`), { exact: true }).check();
    await field(plan, text('plan.start')).fill('22:00');
    await field(plan, text('plan.end')).fill('06:00');
    await field(plan, text('plan.zone')).fill('Europe/Berlin');
    await plan.getByRole('button', { name: text('plan.save') }).click();
    await plan.getByText(text('plan.state.waiting'), { exact: true }).first().waitFor();
    const { entries } = await admin.call(endpoints.queryRecordPlan, {});
    expect(entries.find(({ glob }) => glob.endsWith(language))).toMatchObject({ days: [day], state: 'waiting' });

    const images = await section(text('snapshots.title'));
    const taken = images.locator('li', { hasText: name });
    await taken.getByRole('button', { name: snapshots('show') }).click();
    const image = page.getByRole('dialog').locator('img');
    await image.evaluate((element: HTMLImageElement) => element.decode());
    expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(100);
    expect(errors).toEqual([]);
    await close();
  });

  test('keeps recordings for the configured time, up to the configured number', async () => {
    const text = textsOf(language, 'features/records');
    const { page, errors, open, section, close } = await openConsole(browser, product, admin, language);
    const rules = async () => {
      const { keepDays, maxBytes } = await admin.call(endpoints.queryRecordRetention, {});
      return { keepDays, gigabytes: maxBytes / 1024 ** 3 };
    };
    const save = async (days: string, gigabytes: string) => {
      const form = await section(text('rules.title'));
      await field(form, text('retention.days')).fill(days);
      await field(form, text('retention.size')).fill(gigabytes);
      const answer = page.waitForResponse((response) => response.url().includes(endpoints.updateRecordRetention.path));
      await form.getByRole('button', { name: text('retention.save') }).click();
      expect((await answer).ok()).toBe(true);
    };
    await open('record');
    await save('30', '1.5');
    expect(await rules()).toEqual({ keepDays: 30, gigabytes: 1.5 });
    await page.reload();
    const form = await section(text('rules.title'));
    expect(await field(form, text('retention.days')).inputValue()).toBe('30');
    expect(await field(form, text('retention.size')).inputValue()).toBe('1.5');
    await save('', '');
    expect(await rules()).toEqual({ keepDays: 0, gigabytes: 0 });
    expect(errors).toEqual([]);
    await close();
  });
});
