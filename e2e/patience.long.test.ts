// The matrix of patience: every listener of the product × how peers behave × how many × from where, while somebody watches over each
// protocol. Nobody waits noticeably longer than on a quiet server, the API answers, and memory comes back.
// A run tries a part of the matrix, another one for each commit; `PATIENCE_CELLS=all` tries all, a number so many in each product.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setUp } from './support/api.ts';
import { launchChromium, openPage } from './support/chromium.ts';
import { stopAllFfmpeg } from './support/ffmpeg.ts';
import { environmentOfListeners } from './support/patience/listeners.ts';
import { PatienceMatrix, patienceTimeoutMs } from './support/patience/matrix.ts';
import { AttackSources } from './support/patience/sources.ts';
import { type Product, startProduct } from './support/product.ts';

/** Cells of each product, without PATIENCE_CELLS: half a minute. */
const usualCells = 8;

let sources: AttackSources;
beforeAll(() => {
  sources = AttackSources.open();
});
afterAll(() => sources?.close());

describe.each([1, 2])('a product of %i gateways', (gateways) => {
  let product: Product;
  let browser: Browser;
  let matrix: PatienceMatrix;

  beforeAll(async () => {
    const environment = { ...(await environmentOfListeners(false)), GATEWAYS: String(gateways) };
    [product, browser] = await Promise.all([startProduct(environment), launchChromium()]);
    const { publishQuery } = await setUp(product, 'a long first password');
    const { page } = await openPage(browser, 'en-US');
    matrix = await PatienceMatrix.open({ product, environment, gateways, publishQuery, sources, page });
  });

  afterAll(async () => {
    matrix?.close();
    await browser?.close();
    await stopAllFfmpeg();
    await product?.remove();
  });

  test('nobody waits for peers that are patient', { timeout: patienceTimeoutMs }, async () => {
    expect(await matrix.tryCells(`${gateways} gateways`, usualCells)).toEqual([]);
  });
});
