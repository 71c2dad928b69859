// The built console in a browser without a server: its files come from the build, its calls from the answers of a state,
// its pictures are drawn here. Knows when the page has everything it asked for.
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Endpoint,
  type EndpointName,
  endpoints,
  errorCatalogue,
  eventStreamPath,
  openApiPath,
} from '@srs-stack/contract';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { openApiDocument } from '../../packages/platform/src/plugins/openapi-document.ts';
import type { Answers, CallAnswer } from './gallery-page.ts';

const dist = fileURLToPath(new URL('../../packages/console/dist', import.meta.url));
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};
const callsByPath = new Map<string, EndpointName>(
  (Object.entries(endpoints) as [EndpointName, Endpoint][]).map(([name, { path }]) => [path, name]),
);

export interface BuiltConsole {
  /** Answers from now on. */
  answers: Answers;
  /** Calls that had no answer, by name: the state should have one. */
  readonly unanswered: Set<string>;
  /** Resolves when the page asks for nothing more and has drawn what it got. */
  settled(page: Page): Promise<void>;
}

/** Serves the console in all pages of the context. */
export async function serveBuiltConsole(context: BrowserContext): Promise<BuiltConsole> {
  let running = 0;
  let started = 0;
  const built: BuiltConsole = { answers: {}, unanswered: new Set(), settled };
  await context.route('**/*', async (route) => {
    running += 1;
    started += 1;
    try {
      await answer(route, built);
    } catch {
      // The page was left before it got the answer.
    } finally {
      running -= 1;
    }
  });
  return built;

  async function settled(page: Page): Promise<void> {
    for (let seen = -1; seen !== started || running > 0; ) {
      seen = started;
      await page.evaluate(twoFrames);
    }
  }
}

/** Runs in the browser: an answer's effect is drawn, and what it leads to is asked for, within two frames. */
function twoFrames(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0))));
}

async function answer(route: Route, built: BuiltConsole): Promise<void> {
  const { pathname } = new URL(route.request().url());
  const name = callsByPath.get(pathname);
  if (name) return answerCall(route, name, built);
  if (pathname === openApiPath)
    return route.fulfill({ contentType: 'application/json', body: await openApiDocument('1.2.3') });
  if (/\/poster\.jpg$/.test(pathname)) return route.fulfill({ contentType: 'image/svg+xml', body: testPicture });
  // No events are pushed: the console then asks for the figures.
  if (pathname === eventStreamPath) return route.fulfill({ status: 503, body: '' });
  // Media and WebRTC: nobody sends anything. The request stays open until the page is left.
  if (/\.(?:flv|m3u8|ts|mp4)$|^\/rtc\//.test(pathname)) return;
  // The media server's own console asks this one; nothing is live.
  if (pathname.startsWith('/api/v1/')) return route.fulfill({ json: emptyMediaServer });
  if (pathname.startsWith('/terraform/')) return route.fulfill({ status: 404, body: '' });
  return serveFile(route, pathname);
}

async function serveFile(route: Route, pathname: string): Promise<void> {
  const path = pathname.startsWith('/mgmt/') ? pathname.slice('/mgmt'.length) : pathname;
  const file = extname(path) ? path : '/index.html';
  const body = await readFile(join(dist, file)).catch(() => undefined);
  if (!body) return route.fulfill({ status: 404, body: '' });
  return route.fulfill({ contentType: types[extname(file)] ?? 'application/octet-stream', body });
}

async function answerCall(route: Route, name: EndpointName, built: BuiltConsole): Promise<void> {
  const given = built.answers[name] as CallAnswer<unknown> | undefined;
  if (!given) built.unanswered.add(name);
  if (given === 'pending') return;
  if (given === 'unreachable') return route.abort('connectionrefused');
  if (given && 'data' in given) {
    const checked = endpoints[name].response.safeParse(given.data);
    if (!checked.success) built.unanswered.add(`${name}: ${checked.error.message}`);
    return route.fulfill({ json: { code: 0, server: 1, data: given.data } });
  }
  const refusal = given?.refusal ?? 'notFound';
  const { httpStatus, code, message } = errorCatalogue[refusal];
  const body = { code, server: 1, data: { message, name: refusal, requestId: 'r-7f3a91c2' } };
  return route.fulfill({ status: httpStatus, json: body });
}

const emptyMediaServer = { code: 0, server: 'vid-0a1b2c3', streams: [], clients: [], vhosts: [], data: {} };

/** A poster: bars and a horizon, so that cropping shows. */
const testPicture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 90" width="640" height="360">
<rect width="160" height="90" fill="#1d3a4a"/><circle cx="112" cy="34" r="14" fill="#f0a92e"/>
<path d="M0 66 40 40 70 62 100 44 160 70V90H0Z" fill="#0d8376"/><path d="M0 90 60 62 160 84V90Z" fill="#053f3a"/></svg>`;
