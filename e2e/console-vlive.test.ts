// The Virtual live page in a real browser, in both languages. A file is uploaded, interrupted by a reload, and resumed.
// A second file is added, the order is changed, and the stream is watched. A start time is set and cleared. A source
// that the target does not support is reported.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints, supportedLocales } from '@srs-stack/contract';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, limitUpload, movingTestVideo } from './support/chromium.ts';
import { type ConsolePage, field, openConsole, platforms, textsOf } from './support/console.ts';
import { type Product, startProduct } from './support/product.ts';
import { ffmpegsWith, vliveRow } from './support/scenario-rows.ts';
import { bigBuckBunny } from './support/test-source.ts';
import { until } from './support/until.ts';

/** A start time that is never reached, in the format of the field (local time). */
const farFuture = '2099-01-31T20:00';
/** Upload speed, bytes per second: a file of 23 MB takes long enough for a reload during the upload. */
const slowUpload = 700_000;

let browser: Browser;
let product: Product;
let admin: Admin;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-console-vlive-'));
  [browser, product] = await Promise.all([launchChromium(), startProduct()]);
  admin = await setUp(product, 'console vlive password');
  // The clip has 6 Mbps, above the default limit of 5 Mbps.
  await admin.call(endpoints.updateLimits, { vlive: 10_000, camera: 10_000 });
  const cut = ['-v', 'error', '-i', bigBuckBunny, '-t', '4'];
  execFileSync('ffmpeg', [...cut, '-c', 'copy', join(product.dataDir, 'second.mp4')]);
  const old = ['-c:v', 'mpeg2video', '-s', '320x180', '-c:a', 'mp2'];
  execFileSync('ffmpeg', [...cut, ...old, '-t', '1', join(product.dataDir, 'old.ts')]);
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  rmSync(folder, { recursive: true });
});

describe.each(supportedLocales)('the Virtual live page in %s', (language) => {
  const vlive = textsOf(language, 'features/vlives');
  const target = textsOf(language, 'shared/push-target');
  const worker = textsOf(language, 'shared/worker');
  const first = platforms[language][0];
  let console: ConsolePage;

  beforeEach(async () => {
    console = await openConsole(browser, product, admin, language);
  });
  afterEach(async () => {
    const errors = [...console.errors];
    await console.close();
    for (const platform of Object.keys((await admin.call(endpoints.vliveSecret, {})) ?? {}))
      await admin.call(endpoints.removeVlive, { platform });
    const { files } = await admin.call(endpoints.queryLibrary, {});
    for (const { uuid } of files) await admin.call(endpoints.removeLibraryFile, { uuid });
    expect(errors).toEqual([]);
  });

  /** Selects a file for the upload without the button, which would open the file dialog of the browser. */
  const choose = (form: Locator, file: string) => form.locator('input[type="file"]').setInputFiles(file);
  const playlist = (form: Locator) => form.getByRole('list', { name: vlive('playlist.title') }).locator('strong');
  const serverFile = async (form: Locator, path: string) => {
    await form.getByText(vlive('source.mode.file'), { exact: true }).click();
    await field(form, vlive('file.label')).fill(path);
    await form
      .getByRole('button', { name: vlive('source.use'), exact: true })
      .first()
      .click();
  };

  test('an upload survives a reload; two files play in order', async () => {
    const { page } = console;
    const name = `show-${language}.mp4`;
    const video = join(folder, name);
    copyFileSync(bigBuckBunny, video);
    await console.open('vlive');
    for (const title of [vlive('introduction.title'), ...platforms[language], vlive('status.title')])
      await page.getByRole('button', { name: new RegExp(`^${title}`) }).waitFor();
    expect(await console.isOpen(first)).toBe(true);
    let form = await console.section(first);
    await form.getByRole('button', { name: vlive('start') }).click();
    await form.getByText(vlive('problem.files')).waitFor();
    await form.getByText(vlive('upload.none')).waitFor();
    expect(await form.getByRole('button', { name: vlive('upload.start'), exact: true }).isDisabled()).toBe(true);

    const unlimit = await limitUpload(page, slowUpload);
    await choose(form, video);
    await form.getByRole('button', { name: vlive('upload.start'), exact: true }).click();
    await form.getByRole('progressbar', { name: vlive('upload.progress', { name }) }).waitFor();
    await until('a part of the file is shown as sent', async () => Number(await percent(form)) > 0);
    await until('a part of the file is there', () => partialBytes() > 0);
    for (const text of [/Mbps/, /\d+%/, /21\.7 MB/]) await form.getByText(text).first().waitFor();

    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    form = await console.section(first);
    await form.getByText(vlive('upload.interrupted', { name, size: '21.7' })).waitFor();
    await unlimit();
    await choose(form, video);
    const continued = page.waitForRequest((request) => request.method() === 'PATCH');
    await form.getByRole('button', { name: vlive('upload.start'), exact: true }).click();
    expect(Number((await (await continued).allHeaders())['upload-offset'])).toBeGreaterThan(0);
    await playlist(form).filter({ hasText: name }).waitFor();
    const [{ target: stored } = { target: '' }] = (await vliveRow(admin, 'wx')).files;
    expect(readFileSync(join(product.dataDir, stored)).equals(readFileSync(video))).toBe(true);

    await form.getByRole('button', { name: vlive('source.add') }).click();
    await serverFile(form, '/etc/passwd');
    await form.getByText(vlive('file.problem.place')).waitFor();
    await serverFile(form, '/data/second.mp4');
    await playlist(form).filter({ hasText: 'second.mp4' }).waitFor();
    await form.getByRole('button', { name: vlive('playlist.up', { name: 'second.mp4' }) }).click();
    await form.getByText(vlive('playlist.unsaved')).waitFor();
    expect((await playlist(form).allTextContents()).map((text) => text.trim())).toEqual(['second.mp4', name]);

    const stream = `played-${language}`;
    await field(form, target('server')).fill(`rtmp://127.0.0.1:${product.ports.rtmp}/remote/`);
    await field(form, target('key')).fill(`${stream}?${admin.publishQuery}`);
    await form.getByRole('button', { name: vlive('start') }).click();
    await page.getByText(vlive('saved')).waitFor();
    await form.getByRole('button', { name: vlive('stop') }).waitFor();
    await form.getByText(vlive('playlist.unsaved')).waitFor({ state: 'detached' });

    const status = await console.section(vlive('status.title'));
    const table = status.getByRole('table', { name: vlive('status.title') });
    const columns = ['number', 'platform', 'status', 'update', 'source', 'logging'].map((each) =>
      worker(`column.${each}`),
    );
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(columns);
    const row = table.locator('tbody').first();
    await row.getByRole('status').getByText(vlive('streaming'), { exact: true }).waitFor();
    // The first file lasts 4 s, so the second file may play already when the page polls.
    expect(await row.locator('td[data-column="source"]').textContent()).toMatch(
      new RegExp(`^(second\\.mp4.*1.*2|${name}.*2.*2)`),
    );
    expect((await vliveRow(admin, 'wx')).files.map((file) => file.name)).toEqual(['second.mp4', name]);

    const viewer = await page.context().newPage();
    await viewer.goto(`${product.url}/tools/player.html?url=${product.url}/remote/${stream}.flv`);
    await movingTestVideo(viewer);
    await viewer.close();

    await console.section(first);
    const playback = form.getByRole('region', { name: vlive('playing.title') });
    await playback.getByText(vlive('playing.now')).waitFor();
    const places = ['1', '2'].map((place) => vlive('playing.place', { place, count: '2' }));
    await playback.getByText(new RegExp(places.join('|'))).waitFor();
    await field(form, vlive('startTime.label')).fill(farFuture);
    await form.getByRole('button', { name: target('saveAndRestart') }).click();
    await form.getByText(vlive('startTime.at', { time: `${farFuture.replace('T', ' ')}:00` })).waitFor();
    expect(await vliveRow(admin, 'wx')).toMatchObject({ state: 'waiting', reason: 'scheduled' });
    expect(ffmpegsWith(`${product.ports.rtmp}/remote/${stream}`)).toEqual([]);
    await form.getByRole('button', { name: vlive('startTime.clear') }).click();
    await form.getByRole('button', { name: target('saveAndRestart') }).click();
    await playback.getByText(vlive('playing.now')).waitFor();

    await form.getByRole('button', { name: vlive('stop') }).click();
    await form.getByRole('button', { name: vlive('start') }).waitFor();
    expect(ffmpegsWith(`${product.ports.rtmp}/remote/${stream}`)).toEqual([]);

    await form.getByRole('button', { name: vlive('source.change') }).click();
    await serverFile(form, '/data/old.ts');
    await playlist(form).filter({ hasText: 'old.ts' }).waitFor();
    await form.getByText(vlive('transcoded.both')).waitFor();
  });

  function partialBytes(): number {
    const partial = join(product.dataDir, 'upload/.partial');
    const names = readdirSync(partial).filter((name) => !name.endsWith('.json'));
    return names.reduce((sum, name) => sum + statSync(join(partial, name)).size, 0);
  }

  async function percent(form: Locator): Promise<string | null> {
    return form.getByRole('progressbar').getAttribute('aria-valuenow');
  }
});
