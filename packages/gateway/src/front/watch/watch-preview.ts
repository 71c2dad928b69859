// Link preview of a watch page: title, text, image, and the address of its embed code (Open Graph protocol; Twitter cards; oEmbed 1.0 §4).
// Also contains the data for the page's script. Pure.
import type { WatchInfo } from '@srs-stack/contract/values/watch-info.ts';
import { type WatchedStream, watchPath } from './watch-path.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML, including attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);
}

/** Name of the tag with the stream's data. With this tag, the page needs no request before playback. */
const infoName = 'srs-stack-watch';

/**
 * Tags for the head of the page. `root`: URL of the server for the viewer, e.g. `https://live.example`, with the path prefix of a proxy.
 */
export function previewTags(stream: WatchedStream, info: WatchInfo, root: string): string {
  const url = root + watchPath(stream);
  const oembed = `${root}/watch/oembed?format=json&url=${encodeURIComponent(url)}`;
  const { name, text, picture } = info;
  const image = picture === null ? '' : root + picture;
  const tags: (readonly [attribute: 'name' | 'property', name: string, content: string])[] = [
    ['name', 'description', text],
    ['property', 'og:type', 'video.other'],
    ['property', 'og:title', name],
    ['property', 'og:description', text],
    ['property', 'og:url', url],
    ['property', 'og:image', image],
    ['name', 'twitter:card', image === '' ? 'summary' : 'summary_large_image'],
    ['name', 'twitter:title', name],
    ['name', 'twitter:description', text],
    ['name', 'twitter:image', image],
    ['name', infoName, JSON.stringify(info)],
  ];
  const title = escapeHtml(name);
  return [
    `<title>${title}</title>`,
    `<link rel="canonical" href="${escapeHtml(url)}" />`,
    `<link rel="alternate" type="application/json+oembed" href="${escapeHtml(oembed)}" title="${title}" />`,
    ...tags
      .filter(([, , content]) => content !== '')
      .map(([attribute, key, content]) => `<meta ${attribute}="${key}" content="${escapeHtml(content)}" />`),
  ].join('\n    ');
}
