// Clients that measure an attacked product: one viewer of each protocol, and API requests. Each records its longest wait.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { Product } from '../product.ts';

export interface Watcher {
  readonly name: string;
  /** Longest pause since `forget`, milliseconds. */
  longestGapMs(): number | Promise<number>;
  forget(): void | Promise<void>;
  close(): void;
}

/** Interval of polling clients, milliseconds. */
const askEveryMs = 100;

class Gap {
  #longestMs = 0;
  #lastMs = performance.now();
  #hasEnded = false;

  seen(): void {
    const now = performance.now();
    this.#longestMs = Math.max(this.#longestMs, now - this.#lastMs);
    this.#lastMs = now;
  }
  end(): void {
    this.#hasEnded = true;
  }
  forget(): void {
    [this.#longestMs, this.#lastMs] = [0, performance.now()];
  }
  get longestMs(): number {
    return this.#hasEnded ? Number.POSITIVE_INFINITY : Math.max(this.#longestMs, performance.now() - this.#lastMs);
  }
}

const watcherOf = (name: string, gap: Gap, close: () => void): Watcher => ({
  ...{ name, close },
  longestGapMs: () => gap.longestMs,
  forget: () => gap.forget(),
});

async function watchHttp(name: string, url: string): Promise<Watcher> {
  const leave = new AbortController();
  const response = await fetch(url, { signal: leave.signal });
  const gap = new Gap();
  const read = async (): Promise<void> => {
    for await (const _ of response.body as unknown as AsyncIterable<Uint8Array>) gap.seen();
  };
  read()
    .catch(() => undefined)
    .finally(() => gap.end());
  return watcherOf(name, gap, () => leave.abort());
}

async function watchWebSocket(url: string): Promise<Watcher> {
  const socket = new WebSocket(url);
  const gap = new Gap();
  socket.addEventListener('message', () => gap.seen());
  socket.addEventListener('close', () => gap.end());
  await once(socket, 'message');
  return watcherOf('WebSocket-FLV', gap, () => socket.close());
}

async function watchByFfmpeg(name: string, url: string, ...options: string[]): Promise<Watcher> {
  const args = ['-hide_banner', '-loglevel', 'error', '-fflags', 'nobuffer', ...options, '-i', url, '-c', 'copy'];
  const child: ChildProcess = spawn('ffmpeg', [...args, '-flush_packets', '1', '-f', 'mpegts', 'pipe:1']);
  const gap = new Gap();
  child.stdout!.on('data', () => gap.seen());
  child.once('close', () => gap.end());
  await once(child.stdout!, 'data');
  return watcherOf(name, gap, () => child.kill('SIGKILL'));
}

const bareLoop = fileURLToPath(new URL('bare-loop.ts', import.meta.url));
/** Number of relays in the control chain: as many as programs that receive a stream (two gateways, and FFmpeg as the viewer). */
const relays = 3;
/** Interval of the bytes in the control chain, milliseconds: the frame interval at 25 frames per second. */
export const controlFrameMs = 40;

/** Starts the control chain: programs that forward bytes, without the product. Its delays come from this machine and other load. */
export async function watchControl(): Promise<Watcher> {
  const chain: ChildProcess[] = [];
  for (let at = 0; at <= relays; at++) {
    const role = at === 0 ? 'source' : 'relay';
    const child = spawn(process.execPath, [bareLoop, role, String(controlFrameMs)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin!.on('error', () => undefined);
    chain.at(-1)?.stdout?.pipe(child.stdin!);
    chain.push(child);
  }
  const gap = new Gap();
  const last = chain.at(-1)!;
  last.stdout!.on('data', () => gap.seen());
  last.once('close', () => gap.end());
  await once(last.stdout!, 'data');
  return watcherOf('control', gap, () => {
    for (const child of chain) child.kill('SIGKILL');
  });
}

/** Repeats a request and reports the longest response time. A `percentile` of 0.99 ignores one response of a hundred. */
function askAgain(name: string, ask: () => Promise<void>, percentile = 1): Watcher {
  let times: number[] = [];
  let isOver = false;
  const run = async (): Promise<void> => {
    while (!isOver) {
      const askedMs = performance.now();
      await ask().then(
        () => times.push(performance.now() - askedMs),
        () => times.push(Number.POSITIVE_INFINITY),
      );
      await delay(askEveryMs);
    }
  };
  run().catch(() => undefined);
  return {
    name,
    longestGapMs: () => times.toSorted((a, b) => a - b).at(Math.ceil(times.length * percentile) - 1) ?? 0,
    forget: () => {
      times = [];
    },
    close: () => {
      isOver = true;
    },
  };
}

const get = async (url: string): Promise<void> => {
  const response = await fetch(url);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
};

/** Runs in the browser. Records the longest time between two frames. */
function meterFrames(): void {
  const video = document.querySelector('video')!;
  const meter = { longestMs: 0, lastMs: performance.now() };
  Object.assign(window, { frameGap: meter });
  const onFrame = (): void => {
    const now = performance.now();
    meter.longestMs = Math.max(meter.longestMs, now - meter.lastMs);
    meter.lastMs = now;
    video.requestVideoFrameCallback(onFrame);
  };
  video.requestVideoFrameCallback(onFrame);
}
function readMeter(isForgotten: boolean): number {
  const { frameGap: meter } = window as unknown as { frameGap: { longestMs: number; lastMs: number } };
  const longestMs = Math.max(meter.longestMs, performance.now() - meter.lastMs);
  if (isForgotten) [meter.longestMs, meter.lastMs] = [0, performance.now()];
  return longestMs;
}

/** Requires that the player of the page plays. */
export async function watchPage(page: Page): Promise<Watcher> {
  await page.evaluate(meterFrames);
  return {
    name: 'WHEP',
    longestGapMs: () => page.evaluate(readMeter, false),
    forget: async () => void (await page.evaluate(readMeter, true)),
    close: () => undefined,
  };
}

/** Requires a published stream with HLS. */
export async function watchEverything(product: Product, stream: string): Promise<Watcher[]> {
  const media = `${product.url}/live/${stream}`;
  const srt = `srt://127.0.0.1:${product.ports.srt}?mode=caller&streamid=#!::r=live/${stream},m=request`;
  return Promise.all([
    watchHttp('HTTP-FLV', `${media}.flv`),
    watchHttp('HTTP-TS', `${media}.ts`),
    watchWebSocket(`${media.replace('http', 'ws')}.flv`),
    watchByFfmpeg('RTMP', product.rtmpUrl(stream)),
    watchByFfmpeg('SRT', srt),
    watchByFfmpeg('RTSP', `rtsp://127.0.0.1:${product.ports.rtsp}/live/${stream}`, '-rtsp_transport', 'tcp'),
    askAgain('HLS', () => get(`${media}.m3u8`)),
    askAgain('API', () => get(`${product.url}/terraform/v1/host/versions`), 0.99),
  ]);
}
