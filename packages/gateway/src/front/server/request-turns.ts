// Order in which a server handles requests. The requests of one connection are handled one after the other, so that a waiting pipelined
// request costs nothing. Each turn of the event loop handles a limited number of requests.
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { IncomingMessage as NodeRequest } from '@srs-stack/process/node-http.ts';
import { type TurnLimits, TurnQueue } from '@srs-stack/process/turn-queue.ts';
import { lingerMs, maxRequestsOfConnection, requestTurns } from '../limits/front-limits.ts';
import { TinyChunks } from './tiny-chunks.ts';

/** Handles a request. Must not throw. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  readonly socket: Duplex;
  /** Key of the peer. Undefined for a proxy, whose requests belong to different clients. */
  readonly key: string | undefined;
  /** Responses that are not complete. */
  readonly answering: Set<ServerResponse>;
  /** Requests that wait for the responses to earlier requests, oldest first. */
  readonly waiting: Exchange[];
  /** Closes the connection. Called after all earlier responses; no more requests are read. */
  onAnswered: (() => void) | undefined;
}

export interface RequestTurnsOptions {
  /** Key of the client (`addressKey`). Undefined for a proxy, which forwards many clients. */
  readonly keyOfPeer: (socket: Socket) => string | undefined;
  readonly keyOfClient: (request: IncomingMessage) => string;
  readonly answer: Answer;
}

export class RequestTurns {
  readonly #options: RequestTurnsOptions;
  readonly #queue: TurnQueue;
  readonly #connections = new WeakMap<Duplex, Connection>();
  /** Connections whose requests the HTTP server no longer reads or tracks. */
  readonly #stopped = new Set<Duplex>();

  constructor(options: RequestTurnsOptions, limits: TurnLimits = requestTurns) {
    this.#options = options;
    this.#queue = new TurnQueue(limits);
  }

  /** Starts the request immediately, in a later turn, or after the responses to earlier requests. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connectionOf(request);
    const exchange = { request, response };
    if (connection.answering.size > 0 || connection.waiting.length > 0) connection.waiting.push(exchange);
    else {
      this.#reserve(connection, response);
      this.#queue.enter(this.keyOf(request), () => this.#begin(exchange));
    }
  }

  /** Starts an upgrade immediately or in a later turn. Node has already detached the socket from the HTTP server. */
  takeUpgrade(request: IncomingMessage, begin: () => void): void {
    const { socket } = request;
    const key = this.keyOf(request);
    this.#connections.delete(socket);
    this.#queue.enter(key, () => {
      if (socket.destroyed) return false;
      begin();
      return true;
    });
  }

  keyOf(request: IncomingMessage): string {
    return this.#connectionOf(request).key ?? this.#options.keyOfClient(request);
  }

  /** True when the queue of this connection is full. The next request is then not read. */
  isFull(socket: Duplex): boolean {
    const connection = this.#connections.get(socket);
    if (!connection) return false;
    return connection.answering.size + connection.waiting.length >= maxRequestsOfConnection;
  }

  /** Call when the HTTP server stopped parsing because the queue is full. Sends the queued responses, then closes the connection. */
  stopReading(socket: Duplex): void {
    const connection = this.#connections.get(socket);
    if (!connection) {
      socket.destroy();
      return;
    }
    this.#stopped.add(socket);
    socket.once('close', () => this.#stopped.delete(socket));
    socket.on('error', () => undefined);
    // The HTTP server no longer emits `drain` on the open responses.
    socket.on('drain', () => {
      for (const response of connection.answering) response.emit('drain');
    });
    // Reads the remaining bytes: if bytes were unread, the kernel would reset the connection, and responses would be lost.
    socket.resume();
    connection.onAnswered = () => endGently(socket);
  }

  /**
   * Calls `end` after the responses to earlier requests. Without earlier requests, or when the last request is incomplete, calls `end`
   * immediately.
   */
  afterAnswers(socket: Duplex, end: () => void): void {
    const connection = this.#connections.get(socket);
    const isNext = !connection || connection.waiting.length === 0 || connection.onAnswered;
    if (isNext || !connection.waiting.at(-1)?.request.complete) end();
    else connection.onAnswered = end;
  }

  /** Closes connections that the HTTP server no longer tracks. */
  cutStopped(): void {
    for (const socket of this.#stopped) socket.destroy();
  }

  #connectionOf(request: IncomingMessage): Connection {
    const { socket } = request;
    const known = this.#connections.get(socket);
    if (known) return known;
    const key = this.#options.keyOfPeer(socket);
    const connection: Connection = { socket, key, answering: new Set(), waiting: [], onAnswered: undefined };
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      connection.waiting.length = 0;
    });
    socket.once('end', () => this.#onLastRequest(connection));
    return connection;
  }

  /**
   * The client has closed its side of the connection. If requests still wait, their responses must be sent within `lingerMs`. If no request
   * waits, the server closes its side, too.
   */
  #onLastRequest(connection: Connection): void {
    const { socket, waiting } = connection;
    if (this.#connections.get(socket) !== connection) return;
    if (waiting.length === 0) {
      socket.end();
      return;
    }
    destroySoon(socket);
  }

  #reserve(connection: Connection, response: ServerResponse): void {
    connection.answering.add(response);
    response.once('close', () => {
      connection.answering.delete(response);
      this.#goOn(connection);
    });
  }

  #begin({ request, response }: Exchange): boolean {
    if (response.destroyed || request.socket.destroyed) return false;
    this.#options.answer(request, response);
    return true;
  }

  #goOn(connection: Connection): void {
    if (connection.answering.size > 0 || connection.socket.destroyed) return;
    const next = connection.waiting.shift();
    if (!next) {
      connection.onAnswered?.();
      return;
    }
    this.#reserve(connection, next.response);
    this.#queue.enterNextTurn(this.keyOf(next.request), () => this.#begin(next));
  }
}

/** Closes after the written data is sent. Discards received data. */
function endGently(socket: Duplex): void {
  socket.end();
  destroySoon(socket);
}

function destroySoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Server options for a parser that stops within a read when the queue of the connection is full. Node stops parsing only for an upgrade, so
 * the next request is presented as an upgrade.
 */
export function stoppableParser(turns: Pick<RequestTurns, 'isFull'>): ServerOptions {
  const isFull = (socket: Duplex): boolean => turns.isFull(socket);
  const chunksOf = new WeakMap<Duplex, TinyChunks>();
  class StoppableRequest extends NodeRequest {
    // Node sets `upgrade` before deciding whether to continue parsing.
    set upgrade(isUpgrade: boolean | null) {
      this.stops = isUpgrade === false ? isFull(this.socket) : isUpgrade;
    }

    get upgrade(): boolean | null {
      return this.stops;
    }

    declare stops: boolean | null;

    // Called for each chunk. Closes a connection with too many tiny chunks.
    override push(chunk: Buffer | null): boolean {
      if (this.headers['transfer-encoding'] === undefined) return super.push(chunk);
      const { socket } = this;
      const chunks = chunksOf.get(socket) ?? new TinyChunks();
      chunksOf.set(socket, chunks);
      const isFlood = chunk === null ? chunks.isFlood : chunks.add(chunk.length);
      if (!isFlood) return super.push(chunk);
      socket.destroy();
      return true;
    }
  }
  return {
    IncomingMessage: StoppableRequest as unknown as typeof IncomingMessage,
    // Accepts only WebSocket upgrades. Some clients offer h2c on plain requests.
    shouldUpgradeCallback: (request) => isFull(request.socket) || asksForWebSocket(request),
    // The Host header is checked in the request's turn. Node would respond immediately, without a limit.
    requireHostHeader: false,
  };
}

function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}
