// The root address of the server of a player page: a proxy may publish it below a path (`https://tv.example/stream/`). The `<base>` of the
// page contains the root as a relative address; the console has no `<base>` and is at the root.

/** Returns, for example, `https://tv.example/` or `https://tv.example/stream/`. */
export function serverRoot(page: Document = document): URL {
  return page.querySelector('base') ? new URL('.', page.baseURI) : new URL('/', page.location.href);
}

/** Absolute address of a path of the server, `/live/show.flv` or `live/show.flv`. Absolute addresses stay unchanged. */
export function onServer(path: string, root: URL = serverRoot()): string {
  return new URL(isBelowRoot(path) ? path.slice(1) : path, root).href;
}

/** Removes the path prefix of a proxy from an address of the server. Other paths stay unchanged. */
export function pathOnServer(pathname: string, root: URL = serverRoot()): string {
  return pathname.startsWith(root.pathname) ? pathname.slice(root.pathname.length - 1) : pathname;
}

const isBelowRoot = (path: string): boolean => path.startsWith('/') && !path.startsWith('//');

/** Resolves an address in a parameter of the page: a path belongs to the server, with or without the path prefix of a proxy. */
export function givenAddress(text: string, page: string | URL, root: URL = serverRoot()): URL {
  const isInside = isBelowRoot(text) && !text.startsWith(root.pathname);
  return isInside ? new URL(text.slice(1), new URL(root.pathname, page)) : new URL(text, page);
}
