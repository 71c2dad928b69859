// One request on its way through the proxy: takes the control plane's answer and writes it to the client at the client's
// pace. The client's leaving aborts the request; a failure before the answer becomes one of ours.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { sendFailure } from './failure-response.ts';
import { maxHeldAnswerBytes, readerStallMs } from './front-limits.ts';
import { toClientHeaders } from './proxy-headers.ts';
import { BodyTooLargeError, discardRest } from './request-body.ts';

export class ProxiedExchange implements Dispatcher.DispatchHandler {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #onAway: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  /** The whole body, held back until the end so that it leaves with the headers in one write. */
  #whole: Buffer | undefined;
  #isStreaming = false;
  #stall: NodeJS.Timeout | undefined;

  /** @param onAway called when the control plane gave no answer. */
  constructor(request: IncomingMessage, response: ServerResponse, onAway: (error: Error) => void) {
    this.#request = request;
    this.#response = response;
    this.#onAway = onAway;
    response.once('close', () => this.#onClientClosed());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#response.destroyed) controller.abort(new Error('the client has left'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isStreaming && chunk.length === Number(this.#headers['content-length'])) {
      this.#whole = chunk;
      return;
    }
    this.#writeHead();
    this.#isStreaming = true;
    // Stopping for every chunk would cost more than passing it on.
    if (!this.#response.write(chunk) && this.#response.writableLength > maxHeldAnswerBytes)
      this.#waitForReader(controller);
  }

  onResponseEnd(): void {
    this.#writeHead();
    this.#response.end(this.#whole);
    if (!this.#request.complete) discardRest(this.#request);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#stall);
    if (this.#response.destroyed) return;
    if (this.#response.headersSent) {
      this.#response.destroy();
      return;
    }
    if (error instanceof BodyTooLargeError) {
      sendFailure(this.#response, 'bodyTooLarge');
    } else {
      this.#onAway(error);
      sendFailure(this.#response, 'controlPlaneRestarting');
    }
    discardRest(this.#request);
  }

  #writeHead(): void {
    if (!this.#isStreaming) this.#response.writeHead(this.#status, toClientHeaders(this.#headers));
  }

  #waitForReader(controller: Dispatcher.DispatchController): void {
    controller.pause();
    this.#stall = setTimeout(() => this.#response.destroy(), readerStallMs);
    this.#response.once('drain', () => {
      clearTimeout(this.#stall);
      controller.resume();
    });
  }

  #onClientClosed(): void {
    clearTimeout(this.#stall);
    if (!this.#response.writableFinished) this.#controller?.abort(new Error('the client has left'));
  }
}
