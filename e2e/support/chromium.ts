// A real browser with a new profile, and checks of a playing video.
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import { browserPath } from '../../scripts/test-run/browser-path.ts';
import { patience } from '../../scripts/test-run/patience.ts';
import { evidence } from './evidence.ts';

/**
 * The last three flags replace camera and microphone by a test pattern and a beep, answer permission prompts, and allow
 * WebRTC over loopback.
 */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  '--use-fake-device-for-media-stream=fps=15',
  '--use-fake-ui-for-media-stream',
  '--allow-loopback-in-peer-connection',
];

/** Timeout of a step in a page on a busy machine, milliseconds. */
const stepTimeoutMs = 60_000 * patience;
const pictureTimeoutMs = 5_000;

/** The browser that the last test file of this worker released. It ends with the worker. */
let idle: Browser | undefined;

/**
 * Returns the browser of this worker, because the start of a browser takes seconds of CPU time.
 * Each context has its own profile. `close()` closes the contexts and keeps the browser for the next test file.
 */
export async function launchChromium(): Promise<Browser> {
  const kept = idle;
  idle = undefined;
  if (kept?.isConnected()) return kept;
  const browser = await startChromium();
  const end = browser.close.bind(browser);
  browser.close = async () => {
    if (!browser.isConnected() || (idle && idle !== browser)) return end();
    await Promise.all(browser.contexts().map((context) => context.close()));
    idle = browser;
  };
  return browser;
}

/** Starts a browser that ends with `close()`. `extraFlags` are added to the usual flags. */
export function startChromium(extraFlags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath, args: [...flags, ...extraFlags] });
}

/** A page with its own profile in the given language. `errors` collects the errors of the page; tests require it to be empty. */
export async function openPage(browser: Browser, locale: 'zh-CN' | 'en-US'): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({ locale, viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(stepTimeoutMs);
  // Without media permission, WebRTC uses only the default route, which a machine with only loopback does not have.
  await context.grantPermissions(['clipboard-read', 'clipboard-write', 'camera', 'microphone']);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  keepPicture(page);
  return { page, errors };
}

/** When the test fails, takes a screenshot of the page before the clean-up of the test closes the page. */
function keepPicture(page: Page): void {
  const picture = { name: 'page.png', content: () => page.screenshot({ timeout: pictureTimeoutMs }) };
  const forget = evidence.add(picture);
  const context = page.context();
  const close = context.close.bind(context);
  context.close = async (options) => {
    await evidence.keep(picture);
    forget();
    return close(options);
  };
  page.once('close', forget);
}

/** Number of frames that must be shown before a video counts as playing. */
const movingFrames = 15;
/** Mean brightness below which a frame counts as black, 0 to 255. */
const blackBrightness = 8;

/**
 * Waits until the first video of the page or frame has shown `movingFrames` more frames.
 * Resolves with the number of frames and the brightness; rejects when the video is black.
 */
export async function movingTestVideo(place: Page | Frame): Promise<{ frames: number; brightness: number }> {
  await place.waitForSelector('video', { state: 'attached' });
  const seen = await place.evaluate(watchFrames, movingFrames);
  if (seen.brightness < blackBrightness) throw new Error(`the video is black: brightness ${seen.brightness}`);
  return seen;
}

/** Runs in the browser. Counts presented frames, then measures the brightness of the last frame. */
function watchFrames(wanted: number): Promise<{ frames: number; brightness: number }> {
  const video = document.querySelector('video')!;
  const brightness = () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [64, 36];
    const context = canvas.getContext('2d')!;
    context.drawImage(video, 0, 0, 64, 36);
    const { data } = context.getImageData(0, 0, 64, 36);
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) sum += (data[i]! + data[i + 1]! + data[i + 2]!) / 3;
    return sum / (data.length / 4);
  };
  return new Promise((resolve) => {
    let frames = 0;
    const next = () => {
      frames += 1;
      if (frames >= wanted) resolve({ frames, brightness: brightness() });
      else video.requestVideoFrameCallback(next);
    };
    video.requestVideoFrameCallback(next);
  });
}

/** Limits the upload bandwidth of a page. The returned function removes the limit. */
export async function limitUpload(page: Page, bytesPerSecond: number): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  const limit = (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await session.send('Network.enable');
  await limit(bytesPerSecond);
  return () => limit(-1);
}
