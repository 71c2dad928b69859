// Stream data for the watch page. The server writes the data into the page, and the page then polls for updates.
import type { WatchInfo } from '@srs-stack/contract/values/watch-info.ts';
import { onServer } from '../server-root.ts';
import type { WatchedStream } from './watched-stream.ts';

const tagName = 'srs-stack-watch';
/** Maximum wait for a response, milliseconds. */
const timeoutMs = 8_000;
/** Polling intervals, milliseconds: `playing` updates the viewer count, `waiting` detects the start of the stream. */
const intervalsMs = { playing: 15_000, waiting: 5_000 } as const;
/** Random share of each interval, which spreads the requests of viewers who joined simultaneously. */
const jitter = 0.25;

/** Reads the data in the page. Pages of the development server contain no data; the result is then only the stream name. */
export function writtenInfo(stream: WatchedStream, page: ParentNode): WatchInfo {
  const nothing: WatchInfo = {
    ...{ name: stream.stream, text: '', picture: null, logo: null, accent: '', theme: 'system', startsAt: null },
    ...{ allowed: true, live: null, since: null, viewers: null, ways: [] },
  };
  try {
    const text = page.querySelector<HTMLMetaElement>(`meta[name="${tagName}"]`)?.content;
    return text ? withPictures({ ...nothing, ...(JSON.parse(text) as WatchInfo) }) : nothing;
  } catch {
    return nothing;
  }
}

/** Returns undefined if the server does not respond; never rejects. @param query authorizes playback. */
export async function fetchPageInfo(
  { app, stream }: WatchedStream,
  query: URLSearchParams,
): Promise<WatchInfo | undefined> {
  const path = [...app.split('/'), stream].map(encodeURIComponent).join('/');
  const search = query.size > 0 ? `?${query}` : '';
  try {
    const response = await fetch(onServer(`/watch/${path}/info.json${search}`), {
      signal: AbortSignal.timeout(timeoutMs),
    });
    return response.ok ? withPictures((await response.json()) as WatchInfo) : undefined;
  } catch {
    return undefined;
  }
}

function withPictures({ picture, logo, ...info }: WatchInfo): WatchInfo {
  const addressOf = (path: string | null): string | null => (path === null ? null : onServer(path));
  return { ...info, picture: addressOf(picture), logo: addressOf(logo) };
}

/** Polls while the page is visible. @param state selects the interval. */
export function pollWhileVisible(state: () => keyof typeof intervalsMs, poll: () => Promise<void>): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = (): void => {
    clearTimeout(timer);
    timer = setTimeout(run, intervalsMs[state()] * (1 + jitter * (2 * Math.random() - 1)));
  };
  const run = (): void => {
    if (document.hidden) plan();
    else poll().then(plan, plan);
  };
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) run();
  });
  plan();
}
