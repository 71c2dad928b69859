// Quick calls: calls that the control plane answers from memory, over one keep-alive connection. Requests of one turn of the event loop
// share a write. The control plane authorizes each request, or requires that a request is sent as a normal call.
import type { Socket } from 'node:net';
import {
  parseQuickLine,
  QuickLines,
  type QuickQuestion,
  quickCallsPath,
  quickCallsProtocol,
  writeQuickQuestion,
} from '@srs-stack/contract/quick-calls.ts';
import type { PlatformAddress } from '@srs-stack/process/listen-address.ts';
import { request } from '@srs-stack/process/node-http.ts';
import {
  connectTimeoutMs,
  maxQuickQuestions,
  quickAbsentMs,
  quickPauseMs,
  quickRetryMs,
} from '../limits/front-limits.ts';

/** @param json the whole response; undefined when the request must be sent as a normal call. */
type OnAnswer = (json: string | undefined) => void;

export interface QuickCallsOptions {
  readonly platform: PlatformAddress;
  /** Callback secret, which the control plane requires for this connection. */
  readonly secret: string;
}

export class QuickCalls {
  readonly #options: QuickCallsOptions;
  readonly #waiting = new Map<number, OnAnswer>();
  #socket: Socket | undefined;
  #isConnecting = false;
  #isClosed = false;
  #nextTryMs = 0;
  #number = 0;
  #lines = new QuickLines();
  #unsent = '';

  constructor(options: QuickCallsOptions) {
    this.#options = options;
  }

  /** Returns false when the request must be sent as a normal call. In all other cases, `onAnswer` is called once, later. */
  call(question: QuickQuestion, onAnswer: OnAnswer): boolean {
    if (!this.#socket) this.#connect();
    if (!this.#socket || this.#waiting.size >= maxQuickQuestions) return false;
    this.#number += 1;
    this.#waiting.set(this.#number, onAnswer);
    if (this.#unsent === '') setImmediate(this.#send);
    this.#unsent += writeQuickQuestion(this.#number, question);
    return true;
  }

  /** Closes the connection. Waiting requests must be sent as normal calls. */
  close(): void {
    this.#isClosed = true;
    this.#socket?.destroy();
    this.#end();
  }

  readonly #send = (): void => {
    const questions = this.#unsent;
    this.#unsent = '';
    this.#socket?.write(questions);
  };

  #connect(): void {
    const { platform, secret } = this.#options;
    const nowMs = performance.now();
    if (this.#isConnecting || this.#isClosed || secret === '' || nowMs < this.#nextTryMs) return;
    this.#isConnecting = true;
    this.#nextTryMs = nowMs + quickRetryMs;
    const headers = { connection: 'Upgrade', upgrade: quickCallsProtocol, 'x-callback-secret': secret };
    const opening = request({ ...platform, path: quickCallsPath, agent: false, timeout: connectTimeoutMs, headers });
    opening.once('upgrade', (_response, socket) => {
      opening.removeAllListeners('timeout');
      this.#open(socket as Socket);
    });
    opening.once('response', (response) => {
      this.#nextTryMs = performance.now() + quickAbsentMs;
      response.destroy();
    });
    opening.once('timeout', () => opening.destroy());
    opening.once('error', () => undefined);
    opening.once('close', () => {
      this.#isConnecting = false;
    });
    opening.end();
  }

  #open(socket: Socket): void {
    if (this.#isClosed) {
      socket.destroy();
      return;
    }
    this.#socket = socket;
    this.#lines = new QuickLines();
    socket.setTimeout(quickPauseMs);
    // Closes the connection when responses are overdue. The requests are then sent as normal calls, which have timeouts.
    socket.on('timeout', () => this.#waiting.size > 0 && socket.destroy());
    socket.on('data', (bytes: Buffer) => this.#onAnswers(bytes, socket));
    socket.on('error', () => socket.destroy()).once('end', () => socket.destroy());
    socket.once('close', () => this.#end());
  }

  #onAnswers(bytes: Buffer, socket: Socket): void {
    const lines = this.#lines.push(bytes);
    if (!lines) socket.destroy();
    for (const line of lines ?? []) {
      const { number, rest } = parseQuickLine(line);
      const onAnswer = this.#waiting.get(number);
      this.#waiting.delete(number);
      onAnswer?.(rest === '' ? undefined : rest);
    }
  }

  #end(): void {
    this.#socket = undefined;
    this.#unsent = '';
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const onAnswer of waiting) onAnswer(undefined);
  }
}
