// Builds the viewers' link on a publisher page, without the publish secret.

/** Parameters of a WHIP address that viewers need. Other parameters may be secret. */
const forViewers = ['app', 'stream', 'vhost', 'eip'];

/** Address of the player page next to `page`, for the stream of `whipUrl`. */
export function watchLink(whipUrl: string, page: URL): string {
  const whip = new URL(whipUrl);
  const link = new URL('whep.html', page);
  const isOurs = /\/rtc\/v1\/whip\/?$/.test(whip.pathname);
  if (!isOurs) {
    link.searchParams.set('url', `${whip.origin}${whip.pathname.replace(/\/whip(\/?)$/, '/whep$1')}`);
    return link.href;
  }
  if (whip.host !== page.host) {
    link.searchParams.set('schema', whip.protocol.replace(':', ''));
    link.searchParams.set('server', whip.hostname);
    link.searchParams.set('port', whip.port || (whip.protocol === 'https:' ? '443' : '80'));
  }
  for (const name of forViewers) {
    const value = whip.searchParams.get(name);
    if (value) link.searchParams.set(name, value);
  }
  return link.href;
}
