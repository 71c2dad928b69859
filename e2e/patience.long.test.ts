// The matrix of slow peers: every listener of the product × behaviour, number and addresses of the peers. A viewer of
// each protocol plays. No client waits noticeably longer than on a quiet server, the API responds, and memory is
// released. Each commit tests a different part of the matrix. `PATIENCE_CELLS=all` tests all cells. `PATIENCE_CELLS=20`
// tests 20 cells per product.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setUp } from './support/api.ts';
import { launchChromium, openPage } from './support/chromium.ts';
import { stopAllFfmpeg } from './support/ffmpeg.ts';
import { environmentOfListeners } from './support/patience/listeners.ts';
import { PatienceMatrix, patienceTimeoutMs } from './support/patience/matrix.ts';
import { AttackSources } from './support/patience/sources.ts';
import { type Product, startProduct } from './support/product.ts';

/** Number of tested cells per product, unless PATIENCE_CELLS is set. The cells take half a minute. */
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

  test('clients are not delayed by slow peers', { timeout: patienceTimeoutMs }, async () => {
    expect(await matrix.tryCells(`${gateways} gateways`, usualCells)).toEqual([]);
  });
});
