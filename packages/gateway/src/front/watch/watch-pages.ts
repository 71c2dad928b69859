// Serves the watch page `/watch/<app>/<stream>` for viewers and for frames in other sites: the built page with data for link previews. Also
// serves the stream's data, the images, the embed script, and the oEmbed response (oEmbed 1.0).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { watchImageName } from '@srs-stack/contract/values/watch-page.ts';
import type { ConsoleFiles } from '../files/console-files.ts';
import type { FileSender } from '../files/file-sender.ts';
import { sendStaticFile } from '../files/static-file.ts';
import { sendText } from '../http/failure-response.ts';
import type { ForwardedResolver } from '../http/forwarded.ts';
import { setCommonHeaders, setPageSecurity } from '../http/response-headers.ts';
import { BuiltPage } from './built-page.ts';
import { oembedResponse } from './oembed.ts';
import { picturesPath } from './page-looks.ts';
import type { StreamInfos } from './stream-infos.ts';
import { parseInfoPath, parseWatchPath, type WatchedStream } from './watch-path.ts';
import { previewTags } from './watch-preview.ts';

/** Tag that enables or disables playback reports of the player (docs/reference/playback-reports.md). */
const reportsTag = (isOn: boolean) => `\n    <meta name="viewer-reports" content="${isOn ? 'on' : 'off'}" />`;
/** Base URL: the relative path from the page to the root of the server. Works below an unknown path prefix. */
const baseTag = (pathname: string) => `<base href="${'../'.repeat(pathname.split('/').length - 2)}" />\n    `;
/** Cache time of the oEmbed response, seconds. The response changes only with the address of the server and the title of the page. */
const oembedMaxAge = 3_600;
/** Cache time of an image, seconds: a year, because the name is derived from the content. */
const pictureMaxAge = 31_536_000;
/** `max-age` of a stream's data for caches in front of the server, seconds. Thousands of clients may request the data. */
const infoMaxAge = 1;

export interface WatchPagesOptions {
  /** `dist` of the console package. */
  readonly folder: string;
  readonly pictures: string;
  readonly sender: Pick<FileSender, 'sendStream'>;
  readonly forwarded: ForwardedResolver;
  readonly isReportingOn: () => boolean;
  readonly files: Pick<ConsoleFiles, 'servePage'>;
  readonly infos: Pick<StreamInfos, 'of' | 'lookOf'>;
}

export class WatchPages {
  readonly #options: WatchPagesOptions;
  readonly #page: BuiltPage;

  constructor(options: WatchPagesOptions) {
    this.#options = options;
    this.#page = new BuiltPage(join(options.folder, 'watch/index.html'));
  }

  async serve(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> {
    const infoStream = parseInfoPath(pathname);
    if (infoStream) return this.#sendInfo(request, response, infoStream);
    const stream = parseWatchPath(pathname);
    if (pathname.startsWith(picturesPath) && (await this.#sendFrame(request, response, pathname))) return;
    if (pathname === '/watch/oembed') this.#answerOembed(request, response);
    else if (pathname === '/watch/embed.js' && (await this.#options.files.servePage(request, response, pathname)))
      return;
    else if (stream) await this.#sendPage(request, response, { stream, pathname });
    else sendText(response, 404, 'No such page. Watch pages are at /watch/<app>/<stream>.');
  }

  async #sendPage(
    request: IncomingMessage,
    response: ServerResponse,
    { stream, pathname }: { stream: WatchedStream; pathname: string },
  ): Promise<void> {
    const page = await this.#page.parts();
    if (response.destroyed) return;
    if (!page) {
      sendText(response, 503, 'The watch page is not built yet. Run "npm run build" in the folder of SRS Stack.');
      return;
    }
    const { infos, isReportingOn } = this.#options;
    const { info, isPublic } = await infos.of(stream, request);
    if (response.destroyed) return;
    setPageSecurity(response, 'embeddable', request.headers.host ?? '', page.scriptSources);
    const tags = [baseTag(pathname), previewTags(stream, info, this.#rootOf(request)), reportsTag(isReportingOn())];
    this.#send(request, response, {
      body: [page.before, Buffer.from(tags.join('')), page.after],
      type: 'text/html; charset=utf-8',
      caching: isPublic ? 'no-cache' : 'private, no-cache',
    });
  }

  /** Sends an image of the page. Resolves with false when the image does not exist. */
  async #sendFrame(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<boolean> {
    const name = pathname.slice(picturesPath.length);
    if (!watchImageName.test(name)) return false;
    const { pictures, sender } = this.#options;
    setCommonHeaders(response);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', `public, max-age=${pictureMaxAge}, immutable`);
    const options = { root: pictures, sender, index: false, dotfiles: 'ignore', cacheControl: false } as const;
    if (await sendStaticFile(request, response, `/${name}`, options)) return true;
    response.removeHeader('Cache-Control');
    return false;
  }

  async #sendInfo(request: IncomingMessage, response: ServerResponse, stream: WatchedStream): Promise<void> {
    const { info, isPublic } = await this.#options.infos.of(stream, request);
    if (response.destroyed) return;
    const caching = `${isPublic ? 'public' : 'private'}, max-age=${infoMaxAge}`;
    this.#send(request, response, {
      body: [Buffer.from(JSON.stringify(info))],
      type: 'application/json; charset=utf-8',
      caching,
    });
  }

  #answerOembed(request: IncomingMessage, response: ServerResponse): void {
    const root = this.#rootOf(request);
    const query = new URL(request.url ?? '', root).searchParams;
    const answer = oembedResponse(query, root, (stream) => this.#options.infos.lookOf(stream).name);
    if (answer.status !== 200) {
      sendText(response, answer.status, answer.text);
      return;
    }
    const caching = `public, max-age=${oembedMaxAge}`;
    this.#send(request, response, {
      body: [Buffer.from(answer.text)],
      type: 'application/json; charset=utf-8',
      caching,
    });
  }

  /** URL of the server for the viewer, without a trailing slash. */
  #rootOf(request: IncomingMessage): string {
    const { proto, host, prefix } = this.#options.forwarded(request);
    const origin = `${proto}://${host}`;
    return (URL.canParse(origin) ? new URL(origin).origin : `${proto}://localhost`) + prefix;
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    { body, type, caching }: { body: readonly Buffer[]; type: string; caching: string },
  ): void {
    setCommonHeaders(response);
    response.writeHead(200, {
      'Content-Type': type,
      'Content-Length': body.reduce((sum, { length }) => sum + length, 0),
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': caching,
    });
    // Sends headers and body in one write.
    response.cork();
    if (request.method !== 'HEAD') for (const piece of body) response.write(piece);
    response.end();
    response.uncork();
  }
}
