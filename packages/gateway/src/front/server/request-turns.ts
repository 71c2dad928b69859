// The order in which requests of a server are answered: those of one connection one after another, so that a pipelined request costs
// nothing before it is its turn, and a bounded number of all connections in one turn of the event loop.
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { IncomingMessage as NodeRequest } from '@srs-stack/process/node-http.ts';
import { lingerMs, maxRequestsOfConnection, requestTurns } from '../limits/front-limits.ts';
import { type TurnLimits, TurnQueue } from '../limits/turn-queue.ts';

/** Answers a request. Throws nothing. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  readonly socket: Duplex;
  /** Of its peer; undefined for a proxy, each of whose requests has its own. */
  readonly key: string | undefined;
  /** Requests that have begun and whose answers are not sent yet. */
  readonly answering: Set<ServerResponse>;
  /** Requests that wait for the answers before theirs, oldest first. */
  readonly waiting: Exchange[];
  /** Ends the connection once everything before is answered; no more requests are read. */
  onAnswered: (() => void) | undefined;
}

export interface RequestTurnsOptions {
  /** What counts as one client (`addressKey`); undefined for a proxy that speaks for many. */
  readonly keyOfPeer: (socket: Socket) => string | undefined;
  /** The same of a request that came by such a proxy. */
  readonly keyOfClient: (request: IncomingMessage) => string;
  readonly answer: Answer;
}

export class RequestTurns {
  readonly #options: RequestTurnsOptions;
  readonly #queue: TurnQueue;
  readonly #connections = new WeakMap<Duplex, Connection>();
  /** Connections whose HTTP server no longer knows them, because it stopped reading requests. */
  readonly #stopped = new Set<Duplex>();

  constructor(options: RequestTurnsOptions, limits: TurnLimits = requestTurns) {
    this.#options = options;
    this.#queue = new TurnQueue(limits);
  }

  /** Begins the request, now or when it is its turn. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connectionOf(request);
    const exchange = { request, response };
    if (connection.answering.size > 0 || connection.waiting.length > 0) connection.waiting.push(exchange);
    else {
      this.#reserve(connection, response);
      this.#queue.enter(this.keyOf(request), () => this.#begin(exchange));
    }
  }

  /** Begins an upgrade, which leaves its HTTP server: now or in a later turn. */
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

  /** What counts as one client. */
  keyOf(request: IncomingMessage): string {
    return this.#connectionOf(request).key ?? this.#options.keyOfClient(request);
  }

  /** Whether as many requests of this connection wait as may: its next one is not read. */
  isFull(socket: Duplex): boolean {
    const connection = this.#connections.get(socket);
    if (!connection) return false;
    return connection.answering.size + connection.waiting.length >= maxRequestsOfConnection;
  }

  /** The HTTP server has stopped at a request too many: those before it are answered, then the connection is closed. */
  stopReading(socket: Duplex): void {
    const connection = this.#connections.get(socket);
    if (!connection) {
      socket.destroy();
      return;
    }
    this.#stopped.add(socket);
    socket.once('close', () => this.#stopped.delete(socket));
    socket.on('error', () => undefined);
    // What the HTTP server did for answers under way until now.
    socket.on('drain', () => {
      for (const response of connection.answering) response.emit('drain');
    });
    // With bytes unread the system would reset the connection, and answers on their way would be lost.
    socket.resume();
    connection.onAnswered = () => endGently(socket);
  }

  /** Runs when requests that came before are answered; at once when there are none, or the last one is incomplete. */
  afterAnswers(socket: Duplex, end: () => void): void {
    const connection = this.#connections.get(socket);
    const isNext = !connection || connection.waiting.length === 0 || connection.onAnswered;
    if (isNext || !connection.waiting.at(-1)?.request.complete) end();
    else connection.onAnswered = end;
  }

  /** Cuts connections that the HTTP server itself does not know any more. */
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

  /** The client has closed its side: one that asked for several things may still read for a moment, any other has left. */
  #onLastRequest(connection: Connection): void {
    const { socket, waiting } = connection;
    if (this.#connections.get(socket) !== connection) return;
    if (waiting.length === 0) {
      socket.end();
      return;
    }
    destroySoon(socket);
  }

  /** The response is the next one that the connection sends. */
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

/** Closes after what was written has been sent; what still comes is thrown away for a moment. */
function endGently(socket: Duplex): void {
  socket.end();
  destroySoon(socket);
}

function destroySoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Options of an HTTP server whose parser stops in the middle of a read when its connection is full. Node stops parsing for an upgrade
 * alone, so a request too many looks like one.
 */
export function stoppableParser(turns: Pick<RequestTurns, 'isFull'>): ServerOptions {
  const isFull = (socket: Duplex): boolean => turns.isFull(socket);
  class StoppableRequest extends NodeRequest {
    // Node writes here what the request asks for, before it decides whether to go on.
    set upgrade(asked: boolean | null) {
      this.stops = asked === false ? isFull(this.socket) : asked;
    }

    get upgrade(): boolean | null {
      return this.stops;
    }

    declare stops: boolean | null;
  }
  return {
    IncomingMessage: StoppableRequest as unknown as typeof IncomingMessage,
    // Some clients offer h2c on plain requests; only WebSocket is an upgrade here.
    shouldUpgradeCallback: (request) => isFull(request.socket) || asksForWebSocket(request),
    // It is looked at in turn: Node would answer at once, without a bound.
    requireHostHeader: false,
  };
}

function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}
