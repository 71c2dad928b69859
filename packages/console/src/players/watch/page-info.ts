// Data of the stream for the watch page: the server writes it into the page, and the page polls it while it is open.
import type { WatchInfo } from '@srs-stack/contract/values/watch-info.ts';
import { onServer } from '../server-root.ts';
import type { WatchedStream } from './watched-stream.ts';

/** Name of the tag that the server writes. */
const tagName = 'srs-stack-watch';
/** A request without a response after this time has failed, milliseconds. */
const timeoutMs = 8_000;
/** Polling interval, milliseconds: during playback for the number of viewers; before it for the start of the stream. */
const intervalsMs = { playing: 15_000, waiting: 5_000 } as const;
/** Random share of a pause, so that viewers who joined simultaneously do not poll at the same time. */
const jitter = 0.25;

/** The data that the server wrote into the page; derived from the name alone if there is none, as in the development server. */
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

/**
 * @param query authorizes playback.
 * @returns undefined without a response; never rejects.
 */
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

/** The data with absolute addresses of its images. */
function withPictures({ picture, logo, ...info }: WatchInfo): WatchInfo {
  const addressOf = (path: string | null): string | null => (path === null ? null : onServer(path));
  return { ...info, picture: addressOf(picture), logo: addressOf(logo) };
}

/** Polls while the page is visible, until it is closed. `state` selects the interval. */
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
