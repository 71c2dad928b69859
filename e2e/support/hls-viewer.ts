// hls.js on a page of the product, without the console's player. Records the displayed renditions, switches and errors.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { openPage } from './chromium.ts';

const hlsFile = join(fileURLToPath(new URL('../../node_modules/', import.meta.url)), 'hls.js/dist/hls.min.js');

interface ViewerState {
  readonly shown: readonly number[];
  /** Buffered ranges, seconds. */
  readonly buffered: readonly (readonly [from: number, to: number])[];
  readonly currentTime: number;
  readonly frames: number;
  readonly complaints: readonly string[];
  /** Distance from the live edge, seconds; undefined while unknown. */
  readonly latency: number | undefined;
}

export interface HlsViewer {
  readonly page: Page;
  state(): Promise<ViewerState>;
  /** Sets the download bandwidth of the page, bytes per second; 0 means no limit. */
  limit(bytesPerSecond: number): Promise<void>;
  close(): Promise<void>;
}

interface HlsPlayer {
  readonly levels: { readonly height: number }[];
  readonly latency: number;
  on(event: string, listener: (event: string, data: { level: number; details: string }) => void): void;
  loadSource(url: string): void;
  attachMedia(video: HTMLVideoElement): void;
}

interface Seen {
  readonly shown: number[];
  readonly complaints: string[];
  readonly player: HlsPlayer;
}

export interface HlsViewerOptions {
  readonly origin: string;
  readonly playlist: string;
  readonly isLowLatency: boolean;
}

/** An empty page of the product's origin that contains the script of a player. */
export async function openPlayerPage(browser: Browser, origin: string, script: string): Promise<Page> {
  const { page } = await openPage(browser, 'en-US');
  const address = `${origin}/tools/viewer-of-the-test.html`;
  const body = '<!doctype html><video muted autoplay playsinline></video>';
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(address);
  await page.addScriptTag({ path: script });
  return page;
}

/** Opens a viewer that starts immediately with the highest rendition. */
export async function openHlsViewer(browser: Browser, options: HlsViewerOptions): Promise<HlsViewer> {
  const page = await openPlayerPage(browser, options.origin, hlsFile);
  await page.evaluate(play, { playlist: options.playlist, isLowLatency: options.isLowLatency });
  const line = await page.context().newCDPSession(page);
  await line.send('Network.enable');
  return {
    page,
    state: () => page.evaluate(readState),
    limit: (bytesPerSecond) => limitLine(line, bytesPerSecond),
    close: () => page.context().close(),
  };
}

async function limitLine(line: CDPSession, bytesPerSecond: number): Promise<void> {
  const downloadThroughput = bytesPerSecond === 0 ? -1 : bytesPerSecond;
  const latency = bytesPerSecond === 0 ? 0 : 20;
  await line.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency, uploadThroughput: -1, downloadThroughput },
  });
}

function play({ playlist, isLowLatency }: { playlist: string; isLowLatency: boolean }): void {
  const { Hls } = window as unknown as { Hls: new (config: object) => HlsPlayer };
  const player = new Hls({ lowLatencyMode: isLowLatency, abrEwmaDefaultEstimate: 5_000_000 });
  const seen: Seen = { shown: [], complaints: [], player };
  Object.assign(window, { seen });
  player.on('hlsLevelSwitched', (_event, { level }) => seen.shown.push(player.levels[level]!.height));
  player.on('hlsError', (_event, { details }) => seen.complaints.push(details));
  player.loadSource(playlist);
  player.attachMedia(document.querySelector('video')!);
}

function readState(): ViewerState {
  const { shown, complaints, player } = (window as unknown as { seen: Seen }).seen;
  const video = document.querySelector('video')!;
  const { buffered, currentTime } = video;
  return {
    ...{ shown, complaints, currentTime },
    buffered: Array.from(
      { length: buffered.length },
      (_, index) => [buffered.start(index), buffered.end(index)] as const,
    ),
    frames: video.getVideoPlaybackQuality().totalVideoFrames,
    latency: Number.isFinite(player.latency) ? player.latency : undefined,
  };
}
