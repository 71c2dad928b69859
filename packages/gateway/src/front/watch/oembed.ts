// The oEmbed response (oEmbed 1.0 §2.3, type video), which other sites request to embed a watch page. Pure.
import { parseWatchPath, type WatchedStream, watchPath } from './watch-path.ts';
import { escapeHtml } from './watch-preview.ts';

/** Default and maximum width of the frame, pixels. */
const width = 960;
/** Minimum width of the frame, pixels. */
const minWidth = 160;

export type OembedResponse = { readonly status: 200 | 404 | 501; readonly text: string };

/**
 * @param root URL of this server for the visitor, with the path prefix of a proxy. Pages with other URLs are refused.
 * @param nameOf heading of a stream's page. Never throws.
 */
export function oembedResponse(
  query: URLSearchParams,
  root: string,
  nameOf: (stream: WatchedStream) => string,
): OembedResponse {
  const format = query.get('format') ?? 'json';
  if (format !== 'json') return { status: 501, text: 'Only format=json is supported.' };
  const url = URL.parse(query.get('url') ?? '');
  const { origin, pathname: below } = new URL(`${root}/`);
  const isOwn = url?.origin === origin && url.pathname.startsWith(below);
  const stream = isOwn ? parseWatchPath(url.pathname.slice(below.length - 1)) : undefined;
  if (!stream) return { status: 404, text: 'url must be the address of a watch page of this server.' };
  const title = nameOf(stream);
  const size = fitted(query);
  const src = escapeHtml(`${root}${watchPath(stream)}?embed=1`);
  const html =
    `<iframe src="${src}" width="${size.width}" height="${size.height}" title="${escapeHtml(title)}" ` +
    'style="border:0" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>';
  const answer = {
    version: '1.0',
    type: 'video',
    title,
    provider_name: 'SRS Stack',
    provider_url: root,
  };
  return { status: 200, text: JSON.stringify({ ...answer, ...size, html }) };
}

/** Largest size with ratio 16:9 within `maxwidth` and `maxheight`, from `minWidth` to `width`. */
function fitted(query: URLSearchParams): { width: number; height: number } {
  const most = (name: string) => {
    const value = Number(query.get(name));
    return value > 0 ? value : Number.POSITIVE_INFINITY;
  };
  const fit = Math.floor(Math.min(width, most('maxwidth'), (most('maxheight') * 16) / 9));
  const chosen = Math.max(minWidth, fit);
  return { width: chosen, height: Math.round((chosen * 9) / 16) };
}
