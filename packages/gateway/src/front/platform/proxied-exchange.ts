// One proxied request: passes the control plane's response on at the pace of the client. When the client disconnects, the request is
// aborted. A failure before the response causes an error response.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type FileHandover, fileHandoverHeader, parseFileHandover } from '@srs-stack/contract/file-handover.ts';
import type { Dispatcher } from 'undici';
import { sendFailure } from '../http/failure-response.ts';
import { toClientHeaders } from '../http/proxy-headers.ts';
import { responseHeadersOf } from '../http/response-headers.ts';
import { discardRest } from '../http/unread-body.ts';
import { maxHeldResponseBytes } from '../limits/front-limits.ts';
import type { Transfer } from '../limits/transfers.ts';
import { BodyTooSlowError } from './upload-body.ts';

/** What the exchange needs from the proxy. */
export interface ExchangeHost {
  /** A client that reads nothing for this time is disconnected, milliseconds. */
  readonly stallMs: number;
  /** Whether the response may name a file instead of containing the file. */
  readonly takesFiles: boolean;
  onAway(error: Error): void;
  /** Called for an event stream, which lasts as long as the client stays. Returns false when the limit is reached. */
  admitEventStream(): boolean;
  /** Called when the response continues at the pace of a slow client. Returns undefined when the limit is reached. */
  admitSlowReader(cut: () => void): Transfer | undefined;
  /** Called when the response is complete, but the client has not read all of it. Returns undefined when the limit is reached. */
  admitUnread(cut: () => void): Transfer | undefined;
  /** Called when the control plane has named a file as the body of the response. */
  sendFile(status: number, headers: string[], file: FileHandover): void;
  /** Called once, when the connection to the control plane is free. */
  onFree(): void;
}

export class ProxiedExchange implements Dispatcher.DispatchHandler {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #host: ExchangeHost;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  /** A complete body, kept to send headers and body in one write. */
  #whole: Buffer | undefined;
  #isStreaming = false;
  #stall: NodeJS.Timeout | undefined;
  #slow: Transfer | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, host: ExchangeHost) {
    this.#request = request;
    this.#response = response;
    this.#host = host;
    response.once('close', () => this.#onClientClosed());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#response.destroyed) controller.abort(new Error('the client disconnected'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    const isEventStream = String(headers['content-type'] ?? '').startsWith('text/event-stream');
    if (!isEventStream || this.#host.admitEventStream()) return;
    sendFailure(this.#response, 'serverBusy');
    controller.abort(new Error('too many event streams'));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#response.writableEnded) return;
    if (!this.#isStreaming && chunk.length === Number(this.#headers['content-length'])) {
      this.#whole = chunk;
      return;
    }
    this.#writeHead();
    this.#isStreaming = true;
    // Pauses only above a limit, because a pause per chunk would cost more than forwarding the chunk.
    if (!this.#response.write(chunk) && this.#response.writableLength > maxHeldResponseBytes)
      this.#waitForReader(controller);
  }

  onResponseEnd(): void {
    this.#free();
    const file = this.#handover();
    if (file) {
      this.#host.sendFile(
        this.#status,
        toClientHeaders(this.#headers, responseHeadersOf(this.#request), ['content-length']),
        file,
      );
      return;
    }
    this.#writeHead();
    this.#response.end(this.#whole);
    keepUnread(this.#response, this.#host);
    if (!this.#request.complete) discardRest(this.#request);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#free();
    if (this.#response.destroyed) return;
    if (this.#response.headersSent) {
      if (!this.#response.writableEnded) this.#response.destroy();
      return;
    }
    if (error instanceof BodyTooSlowError) {
      sendFailure(this.#response, 'bodyTooSlow');
    } else {
      this.#host.onAway(error);
      sendFailure(this.#response, 'controlPlaneRestarting');
    }
    discardRest(this.#request);
  }

  #handover(): FileHandover | undefined {
    const text = this.#headers[fileHandoverHeader];
    if (!this.#host.takesFiles || typeof text !== 'string' || this.#isStreaming || this.#whole) return undefined;
    return parseFileHandover(text);
  }

  #writeHead(): void {
    if (!this.#isStreaming)
      this.#response.writeHead(this.#status, toClientHeaders(this.#headers, responseHeadersOf(this.#request)));
  }

  #waitForReader(controller: Dispatcher.DispatchController): void {
    this.#slow ??= this.#host.admitSlowReader(() => this.#response.destroy());
    if (!this.#slow) {
      this.#response.destroy();
      return;
    }
    controller.pause();
    this.#stall = setTimeout(() => this.#response.destroy(), this.#host.stallMs);
    this.#response.once('drain', () => {
      clearTimeout(this.#stall);
      this.#slow?.progress();
      controller.resume();
    });
  }

  #free(): void {
    clearTimeout(this.#stall);
    this.#slow?.leave();
    this.#host.onFree();
  }

  #onClientClosed(): void {
    clearTimeout(this.#stall);
    if (!this.#response.writableFinished) this.#controller?.abort(new Error('the client disconnected'));
  }
}

/** Gives a complete, unread response a place. Without a free place, drops the response. */
export function keepUnread(response: ServerResponse, host: Pick<ExchangeHost, 'admitUnread'>): void {
  if (response.writableLength === 0) return;
  const unread = host.admitUnread(() => response.destroy());
  if (unread) response.once('close', unread.leave);
  else response.destroy();
}
