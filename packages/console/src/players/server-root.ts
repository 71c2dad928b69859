// Finds the root URL of the server, which a proxy may publish below a path such as `https://tv.example/stream/`. Player pages contain the
// root in `<base>`; the console has no `<base>` and always runs at `/`.

/** Returns, for example, `https://tv.example/` or `https://tv.example/stream/`. */
export function serverRoot(page: Document = document): URL {
  return page.querySelector('base') ? new URL('.', page.baseURI) : new URL('/', page.location.href);
}

/** Resolves a server path with or without a leading slash. Absolute addresses stay unchanged. */
export function onServer(path: string, root: URL = serverRoot()): string {
  return new URL(isBelowRoot(path) ? path.slice(1) : path, root).href;
}

/** Removes the proxy's path prefix from a server path. Other paths stay unchanged. */
export function pathOnServer(pathname: string, root: URL = serverRoot()): string {
  return pathname.startsWith(root.pathname) ? pathname.slice(root.pathname.length - 1) : pathname;
}

const isBelowRoot = (path: string): boolean => path.startsWith('/') && !path.startsWith('//');

/** Resolves an address from the page's query. Paths are relative to the server, with or without the proxy's path prefix. */
export function givenAddress(text: string, page: string | URL, root: URL = serverRoot()): URL {
  const isInside = isBelowRoot(text) && !text.startsWith(root.pathname);
  return isInside ? new URL(text.slice(1), new URL(root.pathname, page)) : new URL(text, page);
}
