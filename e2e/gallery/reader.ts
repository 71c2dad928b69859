// A browser with its own server and one window per language. Each window opens the states one after another.
import { endpoints, type Locale, saveLockMs, storageKeys, supportedLocales, toastMs } from '@srs-stack/contract';
import type { Disposable, Page, Request } from 'playwright-core';
import { patience } from '../../scripts/test-run/patience.ts';
import { startChromium } from '../support/chromium.ts';
import { type BuiltConsole, secureOrigin, serveBuiltConsole } from './built-console.ts';
import { consoleTexts } from './console-texts.ts';
import type { Answers, GalleryPage, GalleryState } from './gallery-page.ts';
import { layoutShift, watchLayoutShifts } from './layout-shift.ts';
import { everydayAnswers, session } from './samples/everyday.ts';
import { now } from './samples/now.ts';
import { type Size, sizes } from './sizes.ts';

/** Timeout of a browser action, milliseconds. A timeout means that the state never appeared as the gallery entry describes it. */
const stepTimeoutMs = 60_000 * patience;
/** Timeout of a state with all its screenshots, milliseconds. Some browser calls have no timeout. */
const stateTimeoutMs = 180_000 * patience;

/** The browser no longer opens pages or responds. Its screenshots are useless, and the next page needs a new browser. */
export class BrowserHung extends Error {}

/** @throws BrowserHung after a timeout. The caller then abandons `work` and its browser. */
export async function withinState<Result>(name: string, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_resolve, reject) => {
    const failure = new BrowserHung(`the browser has not drawn "${name}" after ${stateTimeoutMs / 1000} s`);
    timer = setTimeout(() => reject(failure), stateTimeoutMs);
  });
  try {
    return await Promise.race([work, hung]);
  } finally {
    clearTimeout(timer);
  }
}

/** A browser window in one language. `size` is the window size in which this language is checked. */
export interface Reader {
  readonly locale: Locale;
  readonly size: Size;
  readonly page: Page;
  readonly text: ReturnType<typeof consoleTexts>;
  takeErrors(): string[];
  /** Sets the clock of the page. The clock then stands still. */
  setTime(time: Date): Promise<void>;
  /**
   * Sets the size of the window, CSS pixels. Without `isSeen`, the window is painted at a small scale.
   * Painting is half of the work, and the small scale does not change the layout.
   */
  resize(size: { readonly width: number; readonly height: number }, isSeen: boolean): Promise<void>;
  takeScreenshot(): Promise<Buffer>;
  /** Clears the storage once, before the next document of each origin, and stores this session; an empty session is not stored. */
  storeSession(session: string): Promise<void>;
  /** Resolves when the page sends no more requests and has drawn the responses. */
  settled(): Promise<void>;
}

export interface GalleryBrowser {
  readonly built: BuiltConsole;
  readonly readers: readonly Reader[];
  close(): Promise<void>;
}

/** @param sizeOf size in which a language is checked. */
export async function openGalleryBrowser(sizeOf: Record<Locale, Size>): Promise<GalleryBrowser> {
  const built = await serveBuiltConsole();
  const browser = await startChromium(built.chromiumFlags);
  const openReader = async (locale: Locale): Promise<Reader> => {
    const size = sizeOf[locale];
    const context = await browser.newContext({
      locale: locale === 'zh' ? 'zh-CN' : 'en-US',
      timezoneId: 'Asia/Shanghai',
      viewport: sizes[size],
      reducedMotion: 'reduce',
      colorScheme: 'light',
    });
    context.setDefaultTimeout(stepTimeoutMs);
    const page = await context.newPage();
    // The clock is set first, because init scripts run in the order in which they were added.
    const setTime = createClock(page);
    await setTime(now);
    await context.addInitScript(stopTimers, [toastMs, saveLockMs] as const);
    await context.addInitScript(watchLayoutShifts);
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(`the page threw: ${message}`));
    const takeErrors = () => errors.splice(0);
    const steps = { setTime, storeSession: createStorage(page), ...(await createWindow(page)) };
    return {
      locale,
      size,
      page,
      text: consoleTexts(locale),
      takeErrors,
      ...steps,
      settled: watchRequests(page, built),
    };
  };
  return {
    built,
    readers: await Promise.all(supportedLocales.map(openReader)),
    async close() {
      await browser.close();
      built.close();
    },
  };
}

/** Sets the time only when it changes: each call adds an init script to all later documents. */
function createClock(page: Page): Reader['setTime'] {
  let shown: number | undefined;
  return async (time) => {
    if (shown === time.getTime()) return;
    shown = time.getTime();
    await page.clock.setFixedTime(time);
  };
}

/** Scale of painting while no screenshot is taken. */
const unseenScale = 0.1;
/** JPEG quality, of 100. Text stays sharp. */
const jpegQuality = 85;

async function createWindow(page: Page): Promise<Pick<Reader, 'resize' | 'takeScreenshot'>> {
  const session = await page.context().newCDPSession(page);
  return {
    async resize({ width, height }, isSeen) {
      const window = { width, height, screenWidth: width, screenHeight: height };
      const scale = isSeen ? 1 : unseenScale;
      await session.send('Emulation.setDeviceMetricsOverride', {
        ...window,
        scale,
        deviceScaleFactor: 1,
        mobile: false,
      });
    },
    async takeScreenshot() {
      const picture = await session.send('Page.captureScreenshot', { format: 'jpeg', quality: jpegQuality });
      return Buffer.from(picture.data, 'base64');
    },
  };
}

function createStorage(page: Page): Reader['storeSession'] {
  let turn = 0;
  let script: Disposable | undefined;
  return async (value) => {
    await script?.dispose();
    turn += 1;
    script = await page.addInitScript(startStorage, [storageKeys.token, value, String(turn)] as const);
  };
}

/** Runs in the browser before the first document of a state. Removes stored data of the previous state. */
function startStorage([key, value, turn]: readonly [string, string, string]): void {
  if (window.top !== window || sessionStorage.getItem('gallery-turn') === turn) return;
  localStorage.clear();
  sessionStorage.clear();
  sessionStorage.setItem('gallery-turn', turn);
  if (value) localStorage.setItem(key, value);
}

function watchRequests(page: Page, built: BuiltConsole): () => Promise<void> {
  const all = new Set<Request>();
  const running = () => [...all].filter((request) => !built.isHeld(new URL(request.url()).pathname));
  let started = 0;
  page.on('request', (request) => {
    // A navigation cancels the requests of the previous page.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) all.clear();
    if (!built.isHeld(new URL(request.url()).pathname)) started += 1;
    all.add(request);
  });
  page.on('requestfinished', (request) => all.delete(request));
  page.on('requestfailed', (request) => all.delete(request));
  return async () => {
    const deadline = performance.now() + stepTimeoutMs;
    for (let seen = -1; seen !== started || running().length > 0; ) {
      seen = started;
      await page.evaluate(twoFrames);
      if (performance.now() < deadline) continue;
      throw new Error(
        `the page still waits for ${running()
          .map((request) => request.url())
          .join(', ')}`,
      );
    }
  };
}

/** Runs in the browser. After two frames, a response is drawn and the following requests are sent. */
function twoFrames(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0))));
}

/** @throws BrowserHung when the document does not load. Its server is in this process and responds immediately. */
async function visit(page: Page, url: string): Promise<void> {
  try {
    await page.goto(url);
  } catch (error) {
    const seen = await page.evaluate(whatHasLoaded).catch(({ message }: Error) => message);
    throw new BrowserHung(`${(error as Error).message}\n${seen}`);
  }
}

function whatHasLoaded(): string {
  const loaded = performance.getEntriesByType('resource').map(({ name, duration }) => `${name} ${duration} ms`);
  return `The document is ${document.readyState}, it has loaded ${loaded.join(', ')}`;
}

/** Resolves with the problems of the page, when the page shows the state. @throws Error if the state is not reached. @throws BrowserHung */
export async function openState(
  built: BuiltConsole,
  reader: Reader,
  galleryPage: GalleryPage,
  state: GalleryState,
): Promise<string[]> {
  const { page, locale, text, settled, size } = reader;
  const origin = state.origin ?? secureOrigin;
  const path = state.path ?? galleryPage.path;
  const answers: Answers = { ...everydayAnswers, ...galleryPage.answers, ...state.answers };
  await reader.setTime(now);
  await page.setViewportSize(sizes[size]);
  await page.emulateMedia({ colorScheme: 'light' });
  await reader.storeSession(state.isSignedOut ? '' : JSON.stringify(session));
  built.takeFaults();
  reader.takeErrors();
  built.answers = answers;
  const arriving = isJudgedForShifts(galleryPage, state) ? (galleryPage.needs ?? []) : [];
  built.keepBack(arriving);
  // A URL that changes only its fragment would not reload the page, so another document is opened first.
  if (path.includes('#')) await visit(page, `${origin}/color-scheme.js`);
  await visit(page, `${origin}${path.startsWith('/') ? path : `/mgmt/${locale}/${path}`}`);
  await settled();
  for (const name of arriving) {
    built.letGo(name);
    await settled();
  }
  if (state.act || state.isStale) {
    await whole(page, answers);
    built.answers = { ...answers, ...state.actAnswers };
    await state.act?.(page, text);
  }
  if (state.isStale) await leaveTheServer(reader, built);
  const { shows } = state;
  const shown = typeof shows === 'function' ? shows(page) : page.getByText(text(shows)).filter({ visible: true });
  await shown.first().waitFor();
  await whole(page, built.answers);
  await settled();
  return isJudgedForShifts(galleryPage, state) ? layoutShift(page) : [];
}

/** Stops requests of the previous page, because the server already responds for the next state. */
export async function silence({ page }: Reader): Promise<void> {
  await page.evaluate(() => {
    // Hides the page, so the browser does not draw it while the window is resized for the next state.
    document.documentElement.style.display = 'none';
    const windows = [window, ...Array.from(window.frames as unknown as ArrayLike<Window & typeof globalThis>)];
    for (const each of windows) {
      try {
        each.fetch = () => new Promise(() => undefined);
        each.XMLHttpRequest.prototype.send = () => undefined;
        Object.assign(each, { EventSource: class {} });
      } catch {
        // A frame of another origin cannot be changed, but sends no calls to this server.
      }
    }
  });
}

/** Whether layout shifts are measured. The responses of a filled page are then sent one by one. */
const isJudgedForShifts = ({ needs }: GalleryPage, { name, act }: GalleryState) =>
  needs !== undefined && name === 'filled' && !act;

/** Resolves when the page has loaded and shows no placeholder. Returns immediately if the state withholds a response. */
async function whole(page: Page, answers: Answers): Promise<void> {
  if (Object.values(answers).some((response) => response === 'pending' || response === 'unreachable')) return;
  await page.waitForFunction(() => {
    const isDrawn = document.getElementById('root')?.childElementCount !== 0;
    const placeholders = '[data-loading-screen], [role="status"] .mantine-Skeleton-root';
    return isDrawn && ![...document.querySelectorAll(placeholders)].some((part) => part.checkVisibility());
  });
}

/** Runs in the browser. Keeps toasts and expanded help open, and ends the pause of a save button immediately. */
function stopTimers([keptMs, skippedMs]: readonly [number, number]): void {
  const { setTimeout } = window;
  window.setTimeout = ((handler: TimerHandler, delay?: number, ...values: unknown[]) =>
    delay === keptMs ? 0 : setTimeout(handler, delay === skippedMs ? 0 : delay, ...values)) as typeof setTimeout;
}

/** Simulates that the server became unreachable, and that the page polls a minute later. */
async function leaveTheServer({ page, setTime }: Reader, built: BuiltConsole): Promise<void> {
  built.answers = Object.fromEntries(Object.keys(endpoints).map((name) => [name, 'unreachable'])) as Answers;
  await setTime(new Date(now.getTime() + 60_000));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}
