// The Channels page in a real browser, in both languages. A channel with a playlist and a weekly entry is created,
// started, seen on air, changed and removed. A live stream replaces the files until it is ended. Entries are drawn and
// dragged in the calendar.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import type { ChannelState } from '@srs-stack/contract/models/channel.ts';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium } from './support/chromium.ts';
import { type ConsolePage, field, openConsole, textsOf } from './support/console.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';

let browser: Browser;
let product: Product;
let admin: Admin;

beforeAll(async () => {
  browser = await launchChromium();
  product = await startProduct();
  admin = await setUp(product, 'console channel password');
  const clip = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:d=4', '-f', 'lavfi', '-i', 'sine=d=4', '-pix_fmt', 'yuv420p'];
  execFileSync('ffmpeg', ['-v', 'error', ...clip, join(product.dataDir, 'clip.mp4')]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), product?.remove()]);
});

const list = async (): Promise<ChannelState[]> => (await admin.call(endpoints.listChannels, {})).channels;

describe.each(['zh', 'en'] as const)('the Channels page in %s', (language) => {
  const text = textsOf(language, 'features/channels');
  const common = textsOf(language, 'shared/common');
  let console: ConsolePage;

  beforeEach(async () => {
    console = await openConsole(browser, product, admin, language);
    await console.open('channel');
  });
  afterEach(async () => {
    const errors = [...console.errors];
    await console.close();
    await stopAllFfmpeg();
    for (const { channel } of await list()) await admin.call(endpoints.removeChannel, { id: channel.id });
    expect(errors).toEqual([]);
  });

  const button = (name: string) => console.page.getByRole('button', { name, exact: true });
  const choose = async (place: 'first' | 'last', option: string) => {
    const { page } = console;
    await page
      .getByRole('combobox', { name: text('adder.kind') })
      [place]()
      .click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  test('a channel is created, started, seen on air, changed and removed', async () => {
    const { page } = console;
    const stream = `evening-${language}`;
    await page.getByText(text('none.title')).waitFor();
    await button(text('add')).click();
    await field(page, text('form.title')).fill('Evening');
    await field(page, text('form.stream')).fill(stream);
    await choose('first', text('choice.server'));
    await page.getByLabel(text('adder.server')).fill('/data/clip.mp4');
    await button(text('playlist.add')).click();
    await page
      .getByRole('list', { name: text('playlist.title') })
      .getByText('clip.mp4')
      .waitFor();
    await choose('first', text('choice.break'));
    await button(text('playlist.add')).click();
    await choose('last', text('choice.break'));
    await page.getByLabel(text('weekly.at'), { exact: true }).fill('03:15');
    await button(text('weekly.add')).click();
    await page
      .getByRole('table', { name: text('weekly.title') })
      .getByText('03:15')
      .waitFor();
    await button(text('form.save')).click();

    const card = page.getByRole('region', { name: 'Evening' });
    await card.getByText(text('state.off'), { exact: true }).waitFor();
    await card.getByRole('button', { name: text('start'), exact: true }).click();
    await card.getByText(text('state.on-air'), { exact: true }).waitFor();
    await card.locator('dl').getByText('clip.mp4').waitFor();
    const [state] = await list();
    expect(state!.channel).toMatchObject({ stream, playlist: [{ kind: 'file' }, { kind: 'break', minutes: 5 }] });
    expect(state!.channel.weekly).toMatchObject([{ at: '03:15', days: [1, 2, 3, 4, 5, 6, 7] }]);
    await card.getByText(text('asRun.title')).click();
    await card.locator('ol').getByText(text('break')).first().waitFor();

    await card.getByRole('button', { name: text('edit'), exact: true }).click();
    await page
      .getByRole('button', { name: text('playlist.down') })
      .first()
      .click();
    await button(text('form.save')).click();
    await until('the order has changed', async () => (await list())[0]!.channel.playlist[0]!.kind === 'break');

    await card.getByRole('button', { name: text('stop'), exact: true }).click();
    await card.getByText(text('state.off'), { exact: true }).waitFor();
    await card.getByRole('button', { name: text('remove.button'), exact: true }).click();
    await button(common('confirm.continue')).click();
    await page.getByText(text('none.title')).waitFor();
    expect(await list()).toEqual([]);
  });

  test('a live stream takes over the channel and is ended', async () => {
    const { page } = console;
    const { target } = await admin.call(endpoints.vliveServerFile, { file: '/data/clip.mp4' });
    const clip = { id: '', kind: 'file' as const, source: target, name: 'clip.mp4', minutes: 0 };
    const draft = {
      title: 'Night',
      stream: `night-${language}`,
      zone: 'UTC',
      height: 360,
      fps: 25,
      kbps: 800,
    } as const;
    const { id } = await admin.call(endpoints.createChannel, { ...draft, playlist: [clip], weekly: [] });
    await admin.call(endpoints.switchChannel, { id, enabled: true });
    const url = product.rtmpUrl(`studio-${language}?${admin.publishQuery}`);
    const encoder = publishTestSource(url, { video: {}, audio: {} });
    await encoder.sending(30);
    const card = page.getByRole('region', { name: 'Night' });
    await card.getByRole('button', { name: text('takeover.button'), exact: true }).click();
    await page.getByRole('combobox', { name: text('adder.live') }).fill('studio');
    await page.getByRole('option', { name: `live/studio-${language}`, exact: true }).click();
    await button(text('takeover.confirm')).click();
    await card.getByText(text('live.onAir', { stream: `live/studio-${language}` }), { exact: true }).waitFor();
    await card.getByText(text('live.takeover'), { exact: true }).waitFor();
    await card.getByRole('button', { name: text('takeover.giveBack'), exact: true }).click();
    await button(common('confirm.continue')).click();
    await card.getByRole('button', { name: text('takeover.button'), exact: true }).waitFor();
    await card.getByText(text('asRun.title')).click();
    await card
      .locator('ol')
      .getByText(text('asRun.live', { stream: `live/studio-${language}` }), { exact: true })
      .waitFor();
    await encoder.stop();
  });

  test('weekly entries are drawn, dragged and lengthened in the calendar', async () => {
    const { page } = console;
    await button(text('add')).click();
    await field(page, text('form.stream')).fill(`week-${language}`);
    const calendar = page.getByRole('region', { name: text('calendar.title') });
    const inView = () => calendar.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const at = async (day: number, minute: number) => {
      const { x, y, width, height } = (await calendar.locator('[data-week]').boundingBox())!;
      return [x + ((day - 0.5) / 7) * width, y + (minute / 1_440) * height] as const;
    };
    const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, { steps: 8 });
      await page.mouse.up();
    };
    await inView();
    await drag(await at(2, 601), await at(2, 690));
    await page.getByRole('status').getByText('10:00').waitFor();
    await choose('last', text('choice.break'));
    await button(text('weekly.add')).click();
    const entry = calendar.getByRole('button', { name: text('break') });
    expect(await entry.getAttribute('aria-label')).toContain('10:00');
    // Filling in the fields below has scrolled the calendar out of view.
    await inView();
    await drag(await at(2, 645), await at(4, 765));
    await until('it was moved', async () => (await entry.getAttribute('aria-label'))!.includes('12:00'));
    const box = (await entry.boundingBox())!;
    const edge = [box.x + box.width / 2, box.y + box.height - 2] as const;
    await drag(edge, [edge[0], (await at(4, 840))[1]]);
    await until('it was lengthened', async () => /120/.test((await entry.getAttribute('aria-label'))!));
    await entry.press('ArrowUp');
    await button(text('form.save')).click();
    await until('it is saved', async () => (await list()).length === 1);
    expect((await list())[0]!.channel.weekly).toMatchObject([{ days: [4], at: '11:45', minutes: 120 }]);
  });
});
