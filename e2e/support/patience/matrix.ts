// Attacks one product with cells of the matrix of slow peers. A publisher, a viewer of each protocol and API requests
// use the product meanwhile. Other programs may use the processors too. The limits are therefore increased by the
// delays of a control chain without the product, and by the time for which the servers wait for a processor.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { slowness } from '../../../scripts/test-run/patience.ts';
import { movingTestVideo } from '../chromium.ts';
import { type FfmpegRun, publishTestSource } from '../ffmpeg.ts';
import type { Environment, Product } from '../product.ts';
import { until } from '../until.ts';
import type { AttackOrders } from './attack-process.ts';
import { type Cell, cellsOf, nameOf, sampleOf } from './cells.ts';
import { type AttackedListener, portsOfListeners } from './listeners.ts';
import { ProcessorWaits } from './processor-waits.ts';
import type { AttackSources } from './sources.ts';
import { controlFrameMs, type Watcher, watchControl, watchEverything, watchPage } from './watchers.ts';

/** Allowed increase of the longest gap compared with a quiet server, milliseconds: an increase that viewers do not notice. */
const moreGapMs = 250 * slowness;
/** Limit of the 99th percentile of response times, milliseconds. */
const apiMs = 200 * slowness;
/** Allowed growth of memory half a minute after an attack, MB, for caches and for memory that the allocator keeps. */
const growthMb = 64;
const memoryBackMs = 30_000 * slowness;
const attackMs = 3_000;
const quietMs = 4_000;
const attackProcess = fileURLToPath(new URL('attack-process.ts', import.meta.url));
const seed = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
/** Timeout for all cells of a product, milliseconds. There are hundreds of cells; most take as long as their attack. */
export const patienceTimeoutMs = 14_400_000;

export interface MatrixOptions {
  readonly product: Product;
  readonly environment: Environment;
  readonly gateways: number;
  readonly publishQuery: string;
  readonly sources: AttackSources;
  readonly page: Page;
}

export class PatienceMatrix {
  readonly #options: MatrixOptions;
  readonly #ports: ReadonlyMap<AttackedListener, number>;
  readonly #watchers: Watcher[] = [];
  readonly #quietGaps = new Map<string, number>();
  #control!: Watcher;
  #waits!: ProcessorWaits;
  #publisher!: FfmpegRun;

  private constructor(options: MatrixOptions) {
    this.#options = options;
    this.#ports = portsOfListeners(options.product, options.environment);
  }

  /** Resolves when all viewers play and their gaps on a quiet server are measured. */
  static async open(options: MatrixOptions): Promise<PatienceMatrix> {
    const matrix = new PatienceMatrix(options);
    await matrix.#watch();
    await matrix.#listenToQuiet();
    return matrix;
  }

  async #watch(): Promise<void> {
    const { product, publishQuery, page } = this.#options;
    this.#publisher = publishTestSource(product.rtmpUrl(`lobby?${publishQuery}`), { video: {}, audio: {} });
    await this.#publisher.sending(25);
    await until('HLS is there', async () => (await fetch(`${product.url}/live/lobby.m3u8`)).ok);
    this.#control = await watchControl();
    this.#waits = new ProcessorWaits(this.#gatewayPids);
    this.#watchers.push(...(await watchEverything(product, 'lobby')));
    await page.goto(`${product.url}/players/whep.html?stream=lobby&autostart=true`);
    await movingTestVideo(page);
    this.#watchers.push(await watchPage(page));
  }

  async #listenToQuiet(): Promise<void> {
    await this.#forget();
    await delay(quietMs);
    for (const { name, gapMs } of await this.#gaps()) this.#quietGaps.set(name, gapMs);
    console.info(`quiet: ${[...this.#quietGaps].map(([name, gapMs]) => `${name} ${Math.round(gapMs)} ms`).join(', ')}`);
  }

  /** Resolves with the failures as messages. `usual` is the number of cells unless `PATIENCE_CELLS` is set. */
  async tryCells(situation: string, usual: number): Promise<string[]> {
    const { sources } = this.#options;
    const wanted = process.env.PATIENCE_CELLS ?? String(usual);
    const cells = cellsOf(
      this.#ports.keys(),
      (source, listener) => sources.originsOf(source, listener.isLoopbackOnly === true) !== undefined,
    );
    const sample = sampleOf(cells, wanted === 'all' ? cells.length : Number(wanted), `${seed} ${situation}`);
    console.info(`${situation}: ${sample.length} of ${cells.length} cells`);
    const failures: string[] = [];
    for (const cell of sample) {
      const found = (await this.#tryCell(cell)).map((failure) => `${situation}: ${nameOf(cell)}: ${failure}`);
      for (const failure of found) console.info(failure);
      failures.push(...found);
    }
    await this.#publisher.sending(100);
    return failures;
  }

  /** May be called several times. The product keeps running. */
  close(): void {
    this.#control.close();
    this.#waits.close();
    for (const watcher of this.#watchers) watcher.close();
  }

  async #tryCell(cell: Cell): Promise<string[]> {
    const beforeMb = this.#memoryMb();
    await this.#forget();
    const attack = spawn(process.execPath, [attackProcess, JSON.stringify(this.#ordersFor(cell))], {
      stdio: 'inherit',
    });
    const [exitCode] = await once(attack, 'close');
    const othersMs = Math.max(0, (await this.#control.longestGapMs()) - controlFrameMs) + this.#waits.longestMs();
    const found = exitCode === 0 ? [] : ['the attack did not reach the product'];
    const late = (await this.#gaps()).flatMap(({ name, gapMs }) => {
      const quiet = this.#quietGaps.get(name) ?? 0;
      const mostMs = (name === 'API' ? Math.max(apiMs, quiet) : quiet + moreGapMs) + othersMs;
      const [gap, most, others] = [gapMs, mostMs, othersMs].map(Math.round);
      return gapMs <= mostMs
        ? []
        : [`${name}: a gap of ${gap} ms, the limit is ${most} ms, of which ${others} ms are for other programs`];
    });
    found.push(...late);
    const backByMs = performance.now() + memoryBackMs;
    while (this.#memoryMb() >= beforeMb + growthMb && performance.now() < backByMs) await delay(500);
    const grownMb = this.#memoryMb() - beforeMb;
    if (grownMb >= growthMb) found.push(`${Math.round(grownMb)} MB of memory were not released`);
    return found;
  }

  #ordersFor({ listener, row, pattern, connections, source }: Cell): AttackOrders {
    const { transport, first, more } = listener.rows[row]!;
    return {
      port: this.#ports.get(listener)!,
      ...{ transport, pattern, connections, ms: attackMs },
      ...{ first: first.toString('base64'), more: more.toString('base64') },
      origins: this.#options.sources.originsOf(source, listener.isLoopbackOnly === true)!,
    };
  }

  async #forget(): Promise<void> {
    this.#waits.forget();
    await Promise.all([this.#control, ...this.#watchers].map((each) => each.forget()));
  }

  #gaps() {
    return Promise.all(this.#watchers.map(async (each) => ({ name: each.name, gapMs: await each.longestGapMs() })));
  }

  get #gatewayPids(): number[] {
    const { product, gateways } = this.#options;
    return Array.from({ length: gateways }, (_, gateway) => product.portsOf(gateway).pid);
  }

  #memoryMb(): number {
    const kilobytes = this.#gatewayPids.map((pid) =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
    );
    return kilobytes.reduce((sum, each) => sum + each, 0) / 1_024;
  }
}
