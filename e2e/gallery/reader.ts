// A browser with a server of its own, and in it a window for each language, in which state after state is opened.
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

/** One step in the browser, milliseconds: then the state is not what its entry says. */
const stepTimeoutMs = 60_000 * patience;
/** A state with all its pictures, milliseconds: some calls of a browser have no limit of their own. */
const stateTimeoutMs = 180_000 * patience;

/** The browser opens no page any more, or never answers: nothing it shows is worth a picture, and the next page needs another browser. */
export class BrowserHung extends Error {}

/** @throws BrowserHung when `work` does not end in time; it is then left behind with its browser. */
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

/** A window in one language and, where it is judged, one size. */
export interface Reader {
  readonly locale: Locale;
  readonly size: Size;
  readonly page: Page;
  readonly text: ReturnType<typeof consoleTexts>;
  /** What the page threw since the last look. */
  takeErrors(): string[];
  /** The time it is on the page, which stands still. */
  setTime(time: Date): Promise<void>;
  /**
   * Makes the window that large, in CSS pixels. One that nobody looks at is painted small: its layout is the same, and painting is half
   * of the work.
   */
  resize(size: { readonly width: number; readonly height: number }, isSeen: boolean): Promise<void>;
  /** A JPEG of the whole window. */
  takePicture(): Promise<Buffer>;
  /** Documents opened from now on begin with an empty storage, and with this session unless it is empty. */
  storeSession(session: string): Promise<void>;
  /** Resolves when the page asks for nothing more and has drawn what it got. */
  settled(): Promise<void>;
}

export interface GalleryBrowser {
  readonly built: BuiltConsole;
  readonly readers: readonly Reader[];
  close(): Promise<void>;
}

/** `sizeOf`: the size in which a language is judged. */
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
    // The clock of the page first: what runs before each document runs in this order.
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

/** Each time that is set is one more script in every document to come: so it is set when it changes. */
function createClock(page: Page): Reader['setTime'] {
  let shown: number | undefined;
  return async (time) => {
    if (shown === time.getTime()) return;
    shown = time.getTime();
    await page.clock.setFixedTime(time);
  };
}

/** How large a window is painted that nobody looks at. */
const unseenScale = 0.1;
/** Of 100; text stays sharp. */
const jpegQuality = 85;

async function createWindow(page: Page): Promise<Pick<Reader, 'resize' | 'takePicture'>> {
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
    async takePicture() {
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

/** Runs in the browser, before the first document of a state: nothing is left of the state before. */
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
    // What the page before asked for ends with it.
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

/** Runs in the browser: an answer's effect is drawn, and what it leads to is asked for, within two frames. */
function twoFrames(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0))));
}

/** @throws BrowserHung when the document does not load: its server is this process, which answers at once. */
async function visit(page: Page, url: string): Promise<void> {
  try {
    await page.goto(url);
  } catch (error) {
    const seen = await page.evaluate(whatHasLoaded).catch(({ message }: Error) => message);
    throw new BrowserHung(`${(error as Error).message}\n${seen}`);
  }
}

/** Runs in the browser. */
function whatHasLoaded(): string {
  const loaded = performance.getEntriesByType('resource').map(({ name, duration }) => `${name} ${duration} ms`);
  return `The document is ${document.readyState}, it has loaded ${loaded.join(', ')}`;
}

/**
 * Resolves when the page shows the state, with the problems found on the way. @throws Error if it does not get there.
 * @throws BrowserHung
 */
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
  // Of the state before, whose page is still there, silent.
  built.takeFaults();
  reader.takeErrors();
  built.answers = answers;
  const arriving = isJudgedForShifts(galleryPage, state) ? (galleryPage.needs ?? []) : [];
  built.keepBack(arriving);
  // Another fragment of the page that is open would not open it anew.
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

/** The page of a state that has been judged asks for nothing more: the answers are the next one's. */
export async function silence({ page }: Reader): Promise<void> {
  await page.evaluate(() => {
    // Nobody looks at it: what the next state changes of the window is not drawn.
    document.documentElement.style.display = 'none';
    const windows = [window, ...Array.from(window.frames as unknown as ArrayLike<Window & typeof globalThis>)];
    for (const each of windows) {
      try {
        each.fetch = () => new Promise(() => undefined);
        each.XMLHttpRequest.prototype.send = () => undefined;
        Object.assign(each, { EventSource: class {} });
      } catch {
        // A frame of another origin, which asks its own.
      }
    }
  });
}

/** The answers a filled page needs come one after the other, when what stands for them is drawn. */
const isJudgedForShifts = ({ needs }: GalleryPage, { name, act }: GalleryState) =>
  needs !== undefined && name === 'filled' && !act;

/** Resolves when the page is there and no part of it is a placeholder, unless an answer is on its way for ever. */
async function whole(page: Page, answers: Answers): Promise<void> {
  if (Object.values(answers).some((answer) => answer === 'pending' || answer === 'unreachable')) return;
  await page.waitForFunction(() => {
    const isDrawn = document.getElementById('root')?.childElementCount !== 0;
    const placeholders = '[data-loading-screen], [role="status"] .mantine-Skeleton-root';
    return isDrawn && ![...document.querySelectorAll(placeholders)].some((part) => part.checkVisibility());
  });
}

/** Runs in the browser: toasts and unfolded help stay, and the rest of a save button is over at once. */
function stopTimers([keptMs, skippedMs]: readonly [number, number]): void {
  const { setTimeout } = window;
  window.setTimeout = ((handler: TimerHandler, delay?: number, ...values: unknown[]) =>
    delay === keptMs ? 0 : setTimeout(handler, delay === skippedMs ? 0 : delay, ...values)) as typeof setTimeout;
}

/** A minute later the server is gone, and the page asks again. */
async function leaveTheServer({ page, setTime }: Reader, built: BuiltConsole): Promise<void> {
  built.answers = Object.fromEntries(Object.keys(endpoints).map((name) => [name, 'unreachable'])) as Answers;
  await setTime(new Date(now.getTime() + 60_000));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}
