// The matrix of patience: every listener of the product × how peers behave × how many × from where, while somebody watches over each
// protocol. Nobody waits noticeably longer than on a quiet server, the API answers, and memory comes back.
// A run tries a part of the matrix, another one for each commit; `PATIENCE_CELLS=all` tries all, a number so many in each product.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { boundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slowness } from '../scripts/test-run/patience.ts';
import { type Admin, setUp } from './support/api.ts';
import { launchChromium, movingPicture, openPage } from './support/chromium.ts';
import { type FfmpegRun, publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import type { AttackOrders } from './support/patience/attack-process.ts';
import { addressesOf, type Cell, cellsOf, nameOf, sampleOf } from './support/patience/cells.ts';
import { rowsOf } from './support/patience/rows.ts';
import { type Watcher, watchEverything, watchPage } from './support/patience/watchers.ts';
import { type Product, startProduct } from './support/product.ts';
import { until } from './support/until.ts';
import { fakeDeviceFlags } from './support/webrtc.ts';

/** A gap that a viewer does not notice beyond that of a quiet server, milliseconds. */
const moreGapMs = 250 * slowness;
/** The slowest answer of a hundred, milliseconds. */
const apiMs = 200 * slowness;
/** What an attack may leave in memory half a minute later: caches, what the allocator keeps; megabytes. */
const growthMb = 64;
const memoryBackMs = 30_000 * slowness;
const attackMs = 3_000;
const quietMs = 6_000;
/** Cells of each product, without PATIENCE_CELLS: two minutes. */
const usualCells = 24;
const attackProcess = fileURLToPath(new URL('support/patience/attack-process.ts', import.meta.url));
/** Keys of `run/ports.json` that are no listeners. */
const noListeners = ['pid'];

const seed = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
const wanted = process.env.PATIENCE_CELLS ?? String(usualCells);

describe.each([1, 2])('a product of %i gateways', (gateways) => {
  let product: Product;
  let admin: Admin;
  let browser: Browser;
  let publisher: FfmpegRun;
  const watchers: Watcher[] = [];
  const quietGaps = new Map<string, number>();

  beforeAll(async () => {
    [product, browser] = await Promise.all([
      startProduct({ GATEWAYS: String(gateways) }),
      launchChromium(fakeDeviceFlags),
    ]);
    admin = await setUp(product, 'a long first password');
    publisher = publishTestSource(product.rtmpUrl(`lobby?${admin.publishQuery}`), { video: {}, audio: {} });
    await publisher.sending(25);
    await until('HLS is there', async () => (await fetch(`${product.url}/live/lobby.m3u8`)).ok);
    watchers.push(...(await watchEverything(product, 'lobby')));
    const { page } = await openPage(browser, 'en-US');
    await page.goto(`${product.url}/players/whep.html?stream=lobby&autostart=true`);
    await movingPicture(page);
    watchers.push(await watchPage(page));
    await forget();
    await delay(quietMs);
    for (const { name, gapMs } of await gaps()) quietGaps.set(name, gapMs);
    console.info(`quiet: ${[...quietGaps].map(([name, gapMs]) => `${name} ${Math.round(gapMs)} ms`).join(', ')}`);
  });

  afterAll(async () => {
    for (const watcher of watchers) watcher.close();
    await browser?.close();
    await stopAllFfmpeg();
    await product?.remove();
  });

  const forget = async (): Promise<void> => void (await Promise.all(watchers.map((each) => each.forget())));
  const gaps = () => Promise.all(watchers.map(async (each) => ({ name: each.name, gapMs: await each.longestGapMs() })));

  /** By what `run/ports.json` says. */
  function listeners(): Map<string, number> {
    const ports = boundPorts.loose().parse(product.ports);
    return new Map(Object.entries(ports).filter(([name, port]) => !noListeners.includes(name) && port !== null)) as Map<
      string,
      number
    >;
  }

  function memoryMb(): number {
    const pids = Array.from({ length: gateways }, (_, gateway) => product.portsOf(gateway).pid);
    const kilobytes = pids.map((pid) =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
    );
    return kilobytes.reduce((sum, each) => sum + each, 0) / 1_024;
  }

  /** Undefined where this machine has no such source addresses. */
  function ordersFor(cell: Cell): AttackOrders | undefined {
    const row = rowsOf(cell.listener)[cell.row]!;
    if (cell.source === 'ten of one /64' && !row.namesAddress) return undefined;
    const peers = addressesOf(cell.source).map((address) => ({
      localAddress: row.namesAddress ? '' : address,
      first: row.first(address).toString('base64'),
      more: row.more(address).toString('base64'),
    }));
    const { pattern, connections } = cell;
    return {
      port: listeners().get(cell.listener)!,
      transport: row.transport,
      pattern,
      connections,
      peers,
      ms: attackMs,
    };
  }

  /** What went wrong, in words. */
  async function tryCell(cell: Cell): Promise<string[]> {
    const orders = ordersFor(cell);
    if (!orders) {
      console.info(`skipped: ${nameOf(cell)} (needs addresses of IPv6 on an interface)`);
      return [];
    }
    const beforeMb = memoryMb();
    await forget();
    const attack = spawn(process.execPath, [attackProcess, JSON.stringify(orders)], { stdio: 'inherit' });
    await once(attack, 'close');
    const found = (await gaps()).flatMap(({ name, gapMs }) => {
      const mostMs =
        name === 'API' ? Math.max(apiMs, quietGaps.get(name) ?? 0) : (quietGaps.get(name) ?? 0) + moreGapMs;
      return gapMs <= mostMs
        ? []
        : [`${nameOf(cell)}: ${name} waited ${Math.round(gapMs)} ms of ${Math.round(mostMs)}`];
    });
    const backByMs = performance.now() + memoryBackMs;
    while (memoryMb() >= beforeMb + growthMb && performance.now() < backByMs) await delay(500);
    const grownMb = memoryMb() - beforeMb;
    if (grownMb >= growthMb) found.push(`${nameOf(cell)}: ${Math.round(grownMb)} MB are still taken`);
    return found;
  }

  test('every listener has a row', () => {
    for (const name of listeners().keys()) expect(rowsOf(name).length).toBeGreaterThan(0);
  });

  test('nobody waits for peers that are patient', { timeout: 7_200_000 }, async () => {
    const rows = new Map([...listeners().keys()].map((name) => [name, rowsOf(name).length]));
    const cells = cellsOf(rows);
    const count = wanted === 'all' ? cells.length : Number(wanted);
    const failures: string[] = [];
    const sample = sampleOf(cells, count, `${seed} ${gateways}`);
    console.info(`${sample.length} of ${cells.length} cells`);
    for (const cell of sample) {
      const found = await tryCell(cell);
      for (const failure of found) console.info(failure);
      failures.push(...found);
    }
    expect(failures).toEqual([]);
    await publisher.sending(100);
  });
});
