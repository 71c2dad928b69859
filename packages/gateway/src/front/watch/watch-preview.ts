// What others show of a watch page: its title, and where to ask how to embed it (Open Graph protocol; oEmbed 1.0 §4). Pure.
import { type WatchedStream, watchPath } from './watch-path.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in HTML, in attributes too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);
}

/** Tags for the head of the page. `origin` is how the viewer sees the server: `https://live.example`. */
export function previewTags(stream: WatchedStream, origin: string): string {
  const url = origin + watchPath(stream);
  const oembed = `${origin}/watch/oembed?format=json&url=${encodeURIComponent(url)}`;
  const title = escapeHtml(stream.stream);
  return [
    `<title>${title}</title>`,
    `<link rel="canonical" href="${escapeHtml(url)}" />`,
    `<link rel="alternate" type="application/json+oembed" href="${escapeHtml(oembed)}" title="${title}" />`,
    '<meta property="og:type" content="video.other" />',
    `<meta property="og:title" content="${title}" />`,
    `<meta property="og:url" content="${escapeHtml(url)}" />`,
    `<meta name="twitter:title" content="${title}" />`,
  ].join('\n    ');
}
