// The gateway's connection for calls that are answered from memory. Request lines arrive and response lines leave in batches. Every request
// is authenticated by its bearer. A refused or failed request gets an empty response, and the gateway repeats the call over HTTP.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  parseQuickLine,
  parseQuickQuestion,
  QuickLines,
  quickCallsPath,
  quickCallsProtocol,
  writeQuickResponse,
} from '@srs-stack/contract/quick-calls.ts';
import type { FastifyInstance } from 'fastify';
import { secretsEqual } from '../../access/secrets-equal.ts';
import type { QuickResponses } from '../../routes/quick-responses.ts';
import { successJson } from '../wire/wire-format.ts';

export interface QuickCallsOptions {
  readonly responses: QuickResponses;
  readonly sessions: { isValidBearer(value: string): boolean };
  /** Secret that the gateway sends; '' refuses every connection. */
  readonly callbackSecret: string;
}

/** For the server's `shouldUpgradeCallback`: whether a request upgrades to the quick-call protocol. Other requests stay plain HTTP. */
export function asksForQuickCalls({ url, headers }: IncomingMessage): boolean {
  return headers.upgrade === quickCallsProtocol && url === quickCallsPath;
}

export function registerQuickCalls(app: FastifyInstance, options: QuickCallsOptions): void {
  const open = new Set<Duplex>();
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    const given = request.headers['x-callback-secret'];
    const { callbackSecret } = options;
    if (callbackSecret === '' || typeof given !== 'string' || !secretsEqual(given, callbackSecret)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${quickCallsProtocol}\r\n\r\n`);
    new QuickCallsConnection(socket, options).listen();
  });
  // A stopping server would wait for idle connections, so they are closed.
  app.addHook('preClose', (done) => {
    for (const socket of open) socket.destroy();
    done();
  });
}

class QuickCallsConnection {
  readonly #socket: Duplex;
  readonly #options: QuickCallsOptions;
  readonly #lines = new QuickLines();
  #unsent = '';

  constructor(socket: Duplex, options: QuickCallsOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  listen(): void {
    const socket = this.#socket;
    socket.on('data', (bytes: Buffer) => {
      const lines = this.#lines.push(bytes);
      if (!lines) socket.destroy();
      for (const line of lines ?? []) this.#respond(line);
    });
    socket.once('end', () => socket.destroy());
  }

  #respond(line: string): void {
    const { number, rest } = parseQuickLine(line);
    const refuse = (): void => this.#send(number, undefined);
    const request = parseQuickQuestion(rest);
    if (!request || !this.#options.sessions.isValidBearer(request.bearer)) {
      refuse();
      return;
    }
    try {
      const data = this.#options.responses[request.call]();
      if (data instanceof Promise) data.then((value) => this.#send(number, successJson(value))).catch(refuse);
      else this.#send(number, successJson(data));
    } catch {
      refuse();
    }
  }

  #send(number: number, json: string | undefined): void {
    if (this.#unsent === '') setImmediate(this.#flush);
    this.#unsent += writeQuickResponse(number, json);
  }

  readonly #flush = (): void => {
    const responses = this.#unsent;
    this.#unsent = '';
    this.#socket.write(responses);
  };
}
