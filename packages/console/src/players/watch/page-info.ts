// What the page knows of its stream: written into it by the server, asked again while it is open.
import type { WatchInfo } from '@srs-stack/contract/values/watch-info.ts';
import { onServer } from '../server-root.ts';
import type { WatchedStream } from './watched-stream.ts';

/** Name of the tag that the server writes. */
const tagName = 'srs-stack-watch';
/** A question that is not answered by then has failed, milliseconds. */
const timeoutMs = 8_000;
/** Between two questions, milliseconds: while it plays, for the number of viewers; while it waits, for the beginning. */
const intervalsMs = { playing: 15_000, waiting: 5_000 } as const;
/** Share by which a pause is varied, so that those who came at one moment do not ask at one moment. */
const jitter = 0.25;

/** As the server wrote it; what the name alone says where it wrote nothing, such as in a frame of development. */
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

/** `query`: what opens the stream. Undefined when nobody answers. Never rejects. */
export async function askInfo({ app, stream }: WatchedStream, query: URLSearchParams): Promise<WatchInfo | undefined> {
  const path = [...app.split('/'), stream].map(encodeURIComponent).join('/');
  const search = query.size > 0 ? `?${query}` : '';
  try {
    const answer = await fetch(onServer(`/watch/${path}/info.json${search}`), {
      signal: AbortSignal.timeout(timeoutMs),
    });
    return answer.ok ? withPictures((await answer.json()) as WatchInfo) : undefined;
  } catch {
    return undefined;
  }
}

/** Its pictures by their whole addresses. */
function withPictures({ picture, logo, ...info }: WatchInfo): WatchInfo {
  const addressOf = (path: string | null): string | null => (path === null ? null : onServer(path));
  return { ...info, picture: addressOf(picture), logo: addressOf(logo) };
}

/** Asks again and again while the page is seen, for its life. `state` says how soon. */
export function keepAsking(state: () => keyof typeof intervalsMs, ask: () => Promise<void>): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = (): void => {
    clearTimeout(timer);
    timer = setTimeout(run, intervalsMs[state()] * (1 + jitter * (2 * Math.random() - 1)));
  };
  const run = (): void => {
    if (document.hidden) plan();
    else ask().then(plan, plan);
  };
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) run();
  });
  plan();
}
