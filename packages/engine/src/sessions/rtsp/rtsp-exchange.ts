// Handles the requests of one RTSP connection in order. Each connection handles a few requests per turn of the event loop, so that
// pipelined requests do not delay other connections. Nothing is read while requests are pending.
import type { Socket } from 'node:net';
import {
  type RtspRequest,
  type RtspResponse,
  writeRtspResponse,
} from '@srs-stack/media/protocols/rtsp/rtsp-message.ts';
import { RtspReader } from '@srs-stack/media/protocols/rtsp/rtsp-reader.ts';
import { inSession, type SessionScope } from '../../session-scope.ts';
import type { SharedTurns } from '../../util/shared-turns.ts';

/** Methods that take effect after their response was written. */
const actingMethods = new Set(['PLAY', 'TEARDOWN']);

/** The session of the connection. */
export interface ExchangePeer {
  readonly isClosing: boolean;
  /** The peer publishes. Media is read immediately, without waiting for a turn. */
  readonly isPublishing: boolean;
  readonly scope: SessionScope;
  onFrame(channel: number, data: Buffer): void;
  respond(request: RtspRequest): RtspResponse | Promise<RtspResponse>;
  afterResponse(request: RtspRequest): void;
  send(bytes: Buffer): void;
  /** Runs the step. An exception ends the session. */
  guard(step: () => void): void;
}

export interface RtspExchangeOptions {
  readonly socket: Socket;
  readonly turns: SharedTurns;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly peer: ExchangePeer;
}

export class RtspExchange {
  readonly #options: RtspExchangeOptions;
  readonly #reader: RtspReader;
  readonly #requests: RtspRequest[] = [];
  /** Responses that are collected and sent in one write. */
  #responses: Buffer[] = [];
  #unread: Buffer | undefined;
  #isBusy = false;
  #requestedAtMs: number;
  #insideSinceMs: number | undefined;

  constructor(options: RtspExchangeOptions) {
    this.#options = options;
    this.#requestedAtMs = options.clock();
    this.#reader = new RtspReader({
      onRequest: (request) => this.#requests.push(request),
      onFrame: (channel, data) => options.peer.onFrame(channel, data),
    });
  }

  /** True while received data waits for a turn or for authorization. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Time at which the last request was handled, or the connection started. */
  get requestedAtMs(): number {
    return this.#requestedAtMs;
  }

  /** Arrival time of the first bytes of an incomplete message, monotonic milliseconds. */
  get insideSinceMs(): number | undefined {
    return this.#insideSinceMs;
  }

  handleData(data: Buffer): void {
    const { peer } = this.#options;
    this.#unread = data;
    if (peer.isPublishing) peer.guard(() => this.#read());
    if (this.#hasWork) this.#waitForTurn();
  }

  get #hasWork(): boolean {
    const isLeft = this.#unread !== undefined || this.#requests.length > 0 || this.#reader.isHeldBack;
    return isLeft && !this.#options.peer.isClosing;
  }

  #waitForTurn(): void {
    this.#isBusy = true;
    this.#options.socket.pause();
    this.#options.turns.add(() => this.#work());
  }

  /** Processes a part of the pending data. Returns true when the next part can be processed in a later turn. */
  #work(): boolean {
    const { peer } = this.#options;
    if (peer.isClosing) return false;
    let waiting: Promise<void> | undefined;
    inSession(peer.scope, () =>
      peer.guard(() => {
        if (this.#requests.length === 0) this.#read();
        waiting = this.#respond();
      }),
    );
    if (!waiting) return this.#continueOrResume();
    waiting
      .catch((error: unknown) => peer.guard(() => rethrow(error)))
      .finally(() => {
        if (this.#continueOrResume()) this.#waitForTurn();
      });
    return false;
  }

  /** Returns true when work is left; resumes reading when none is left. */
  #continueOrResume(): boolean {
    if (this.#hasWork) return true;
    this.#isBusy = false;
    if (!this.#options.peer.isClosing) this.#options.socket.resume();
    return false;
  }

  #read(): void {
    const itemsBefore = this.#reader.itemsRead;
    const data = this.#unread;
    this.#unread = undefined;
    if (data) this.#reader.read(data);
    else this.#reader.readOn();
    const isNew = this.#insideSinceMs === undefined || this.#reader.itemsRead > itemsBefore;
    if (!this.#reader.isInside) this.#insideSinceMs = undefined;
    else if (isNew) this.#insideSinceMs = this.#options.clock();
  }

  /** Handles requests until a response is asynchronous. Returns a promise in this case. */
  #respond(): Promise<void> | undefined {
    const { peer, clock } = this.#options;
    for (let request = this.#requests.shift(); request; request = this.#requests.shift()) {
      this.#requestedAtMs = clock();
      const response = peer.respond(request);
      if (response instanceof Promise) {
        this.#flush();
        return this.#respondLater(request, response);
      }
      this.#finish(request, response);
      if (peer.isClosing) return undefined;
    }
    this.#flush();
    return undefined;
  }

  async #respondLater(request: RtspRequest, response: Promise<RtspResponse>): Promise<void> {
    this.#finish(request, await response);
    this.#flush();
  }

  #finish(request: RtspRequest, response: RtspResponse): void {
    const { peer } = this.#options;
    if (peer.isClosing) return;
    this.#responses.push(writeRtspResponse(response, request.headers.get('cseq') ?? ''));
    if (!actingMethods.has(request.method)) return;
    this.#flush();
    peer.afterResponse(request);
  }

  #flush(): void {
    const responses = this.#responses;
    this.#responses = [];
    if (responses.length > 0) this.#options.peer.send(Buffer.concat(responses));
  }
}

function rethrow(error: unknown): never {
  throw error;
}
