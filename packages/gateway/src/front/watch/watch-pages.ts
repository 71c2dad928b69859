// The page to watch a stream on, `/watch/<app>/<stream>`, for viewers and for frames in other sites: the built page with what link previews
// read, its embed script, and the answer to sites that ask how to embed it (oEmbed 1.0).
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { ConsoleFiles } from '../files/console-files.ts';
import { sendText } from '../http/failure-response.ts';
import type { ForwardedResolver } from '../http/forwarded.ts';
import { setCommonHeaders, setPageSecurity } from '../http/response-headers.ts';
import { oembedAnswer } from './oembed.ts';
import { parseWatchPath, type WatchedStream } from './watch-path.ts';
import { previewTags } from './watch-preview.ts';

/** Where the built page wants the tags of its stream. */
const previewMark = '<!--preview-->';
/** Sites that ask may keep the answer so long, seconds: it changes with the address of the server alone. */
const oembedMaxAge = 3_600;

export interface WatchPagesOptions {
  /** `dist` of the console package. */
  readonly folder: string;
  readonly forwarded: ForwardedResolver;
  /** Sends a file of the console build. */
  readonly files: Pick<ConsoleFiles, 'servePage'>;
}

export class WatchPages {
  readonly #options: WatchPagesOptions;

  constructor(options: WatchPagesOptions) {
    this.#options = options;
  }

  /** Answers everything below `/watch/`. */
  async serve(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> {
    const stream = parseWatchPath(pathname);
    if (pathname === '/watch/oembed') this.#answerOembed(request, response);
    else if (pathname === '/watch/embed.js' && (await this.#options.files.servePage(request, response, pathname)))
      return;
    else if (stream) await this.#sendPage(request, response, stream);
    else sendText(response, 404, 'No such page. Watch pages are at /watch/<app>/<stream>.');
  }

  async #sendPage(request: IncomingMessage, response: ServerResponse, stream: WatchedStream): Promise<void> {
    const page = await readFile(join(this.#options.folder, 'watch/index.html'), 'utf8').catch(() => '');
    if (page === '') {
      sendText(response, 503, 'The page is not built yet. Run "npm run build" in the product folder.');
      return;
    }
    setPageSecurity(response, 'embeddable', request.headers.host ?? '');
    const body = page.replace(previewMark, () => previewTags(stream, this.#originOf(request)));
    this.#send(request, response, { body, type: 'text/html; charset=utf-8', caching: 'no-cache' });
  }

  #answerOembed(request: IncomingMessage, response: ServerResponse): void {
    const origin = this.#originOf(request);
    const query = new URL(request.url ?? '', origin).searchParams;
    const answer = oembedAnswer(query, origin);
    if (answer.status !== 200) {
      sendText(response, answer.status, answer.text);
      return;
    }
    const caching = `public, max-age=${oembedMaxAge}`;
    this.#send(request, response, { body: answer.text, type: 'application/json; charset=utf-8', caching });
  }

  /** As the viewer sees this server. */
  #originOf(request: IncomingMessage): string {
    const { proto, host } = this.#options.forwarded(request);
    const origin = `${proto}://${host}`;
    return URL.canParse(origin) ? new URL(origin).origin : `${proto}://localhost`;
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    { body, type, caching }: { body: string; type: string; caching: string },
  ): void {
    setCommonHeaders(response);
    response.writeHead(200, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(body),
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': caching,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}
