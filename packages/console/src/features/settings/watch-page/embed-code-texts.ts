// Generates code that embeds a stream in other pages. Stream names need only URL encoding, no HTML escaping. Pure.

export interface EmbedCode {
  readonly kind: 'link' | 'frame' | 'script' | 'oembed';
  readonly text: string;
}

/**
 * @param stream `app/stream`.
 * @param origin address under which viewers reach this server.
 */
export function embedCodes(stream: string, origin: string): EmbedCode[] {
  const page = `${origin}/watch/${stream.split('/').map(encodeURIComponent).join('/')}`;
  const style = 'width:100%;aspect-ratio:16/9;border:0';
  const allow = 'autoplay; fullscreen; picture-in-picture';
  return [
    { kind: 'link', text: page },
    { kind: 'frame', text: `<iframe src="${page}?embed=1" style="${style}" allow="${allow}"></iframe>` },
    { kind: 'script', text: `<script src="${origin}/watch/embed.js" data-stream="${stream}" async></script>` },
    { kind: 'oembed', text: `${origin}/watch/oembed?url=${encodeURIComponent(page)}` },
  ];
}
