// Static files of the console build: the console below /mgmt, the player pages below /tools and /players, the media server console below
// /console.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { SendOptions } from '@fastify/send';
import { sendText } from '../http/failure-response.ts';
import { setCommonHeaders, setPageSecurity } from '../http/response-headers.ts';
import type { FileSender } from './file-sender.ts';
import { sendStaticFile } from './static-file.ts';

/** Bundles with a content hash in the name. Their content never changes. */
const hashedAsset = /\/assets\/.*-[\w-]{8,}\.\w+$/;

/** Cache lifetime of a file that is not HTML and has no hash in its name, seconds. */
const plainFileMaxAge = 86_400;
const hashedFileMaxAge = 31_536_000;

export interface ConsoleFiles {
  /** Serves `/mgmt` and below. For a path without a file, sends the console's page, whose router interprets the path. */
  serveConsole(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void>;
  /**
   * Serves the pages below `/tools` and `/players`, which other sites may embed, and the media server console below `/console`. Resolves
   * with false when the file does not exist.
   */
  servePage(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<boolean>;
}

/**
 * @param folder `dist` of the console package, which may be built after the start.
 * @param isInitialised whether an admin password is set. If a password is set, the console's page contains the prerendered login page.
 */
export function createConsoleFiles(
  folder: string,
  isInitialised: () => boolean,
  sender: Pick<FileSender, 'sendStream'>,
): ConsoleFiles {
  const serve = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> => {
    setCommonHeaders(response);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', cacheControl(path));
    return sendStaticFile(request, response, path, { root: folder, sender, ...sendOptions });
  };
  return {
    async serveConsole(request, response, pathname) {
      setPageSecurity(response, 'console', request.headers.host ?? '');
      const path = pathname.slice('/mgmt'.length);
      if (/\.\w+$/.test(path) && path !== '/index.html' && (await serve(request, response, path))) return;
      for (const page of isInitialised() ? drawnPages(path) : []) if (await serve(request, response, page)) return;
      if (await serve(request, response, '/index.html')) return;
      sendText(response, 503, 'The console is not built yet. Run "npm run build" in the folder of SRS Stack.');
    },
    async servePage(request, response, pathname) {
      const kind = pathname.startsWith('/console/') ? 'media-console' : 'embeddable';
      setPageSecurity(response, kind, request.headers.host ?? '');
      return serve(request, response, pathname);
    },
  };
}

/** Pages of the console with a prerendered login page, best match first: in the language of the path, then in the default language. */
function drawnPages(path: string): string[] {
  const language = /^\/([a-z]{2,3}(?:-[A-Za-z]{2,4})?)(?:\/|$)/.exec(path)?.[1];
  return language ? [`/drawn/${language}.html`, '/drawn/index.html'] : ['/drawn/index.html'];
}

const sendOptions: SendOptions = { index: false, dotfiles: 'ignore', cacheControl: false };

function cacheControl(path: string): string {
  if (path.endsWith('.html')) return 'no-cache';
  if (hashedAsset.test(path)) return `public, max-age=${hashedFileMaxAge}, immutable`;
  return `public, max-age=${plainFileMaxAge}`;
}

/** `packages/console/dist` of this checkout. */
export const defaultConsoleFolder = fileURLToPath(new URL('../../../../console/dist', import.meta.url));
