// Proxies a request to another web server, with backpressure in both directions. Used for proxied paths, and for the media of an external
// SRS.
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import type { Logger } from '@srs-stack/process/logger.ts';
import { Agent, request as httpRequest } from '@srs-stack/process/node-http.ts';
import { watchBodyPace } from '../http/body-pace.ts';
import { sendFailure, sendText } from '../http/failure-response.ts';
import type { ForwardedResolver } from '../http/forwarded.ts';
import { discardRest } from '../http/unread-body.ts';
import { addressKey } from '../limits/address-key.ts';
import {
  awayLogIntervalMs,
  backendIdleMs,
  backendLane,
  backendResponseMs,
  maxBackendSockets,
  uploadStallMs,
  webSocketLane,
} from '../limits/front-limits.ts';
import { Lane, type Place } from '../limits/lane.ts';
import { guardedLookup, isLiteral, RefusedBackend, requireAllowed } from './backend-address.ts';
import { switchProtocols } from './backend-upgrade.ts';

export interface BackendTarget {
  /** Only scheme, host and port are used. */
  readonly origin: URL;
  readonly path: string;
  /** Flat list of request headers, including Host. */
  readonly headers: string[];
  readonly responseHeaders: (response: IncomingMessage) => string[];
}

export interface BackendProxy {
  forward(request: IncomingMessage, response: ServerResponse, target: BackendTarget): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, target: BackendTarget): void;
  close(): void;
}

export interface BackendProxyOptions {
  /** Returns the ports of this product, which must not be backends. */
  readonly ownPorts: () => ReadonlySet<number>;
  readonly forwarded: ForwardedResolver;
  /** False gives each request a socket immediately, as viewers of a media server need. */
  readonly isLimited?: boolean;
  readonly log: Logger;
}

const noAnswer = 'The server behind this path does not respond.';
const badAnswer = 'The server behind this path sent an invalid response.';

export function createBackendProxy(options: BackendProxyOptions): BackendProxy {
  return new PooledBackendProxy(options);
}

class PooledBackendProxy implements BackendProxy {
  readonly #options: BackendProxyOptions;
  readonly #isLimited: NonNullable<BackendProxyOptions['isLimited']>;
  readonly #agents: { readonly 'http:': Agent; readonly 'https:': TlsAgent };
  /** Concurrency limits by origin of the backend. The operator configures the origins, so their number is small. */
  readonly #lanes = new Map<string, Lane>();
  readonly #webSockets = new Lane(webSocketLane);
  readonly #quietUntil = new Map<string, number>();

  constructor(options: BackendProxyOptions) {
    this.#options = options;
    this.#isLimited = options.isLimited ?? true;
    const maxSockets = this.#isLimited ? maxBackendSockets : Number.POSITIVE_INFINITY;
    const agentOptions = { keepAlive: true, maxSockets, scheduling: 'lifo' as const };
    this.#agents = { 'http:': new Agent(agentOptions), 'https:': new TlsAgent(agentOptions) };
  }

  forward(request: IncomingMessage, response: ServerResponse, target: BackendTarget): void {
    if (!this.#isLimited) {
      this.#send(request, response, target);
      return;
    }
    const begin = (place: Place): void => {
      if (response.destroyed) place.leave();
      else this.#send(request, response, target);
    };
    const place = this.#laneOf(target.origin).enter(addressKey(this.#options.forwarded(request).for), begin);
    if (place) response.once('close', place.leave);
    else sendFailure(response, 'serverBusy');
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, target: BackendTarget): void {
    const place = this.#webSockets.enter(addressKey(this.#options.forwarded(request).for), () => undefined);
    if (place) socket.once('close', place.leave);
    switchProtocols({
      socket,
      head,
      open: place && (() => this.#open(request.method ?? 'GET', target)),
      onAway: (error) => this.#reportAway(error, target),
    });
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #laneOf({ origin }: URL): Lane {
    const lane = this.#lanes.get(origin) ?? new Lane(backendLane);
    this.#lanes.set(origin, lane);
    return lane;
  }

  /** @throws RefusedBackend for a forbidden numeric address. */
  #open(method: string, { origin, path, headers }: BackendTarget): ClientRequest {
    const isSecure = origin.protocol === 'https:';
    const host = origin.hostname.replace(/^\[|\]$/g, '');
    const port = Number(origin.port) || (isSecure ? 443 : 80);
    if (isLiteral(host)) requireAllowed(host, port, this.#options.ownPorts());
    const common = { host, port, method, path, headers, lookup: guardedLookup(port, this.#options.ownPorts()) };
    return isSecure
      ? httpsRequest({ ...common, agent: this.#agents['https:'] })
      : httpRequest({ ...common, agent: this.#agents['http:'] });
  }

  #reportAway(error: Error, { origin: { origin } }: BackendTarget): void {
    if (performance.now() < (this.#quietUntil.get(origin) ?? 0)) return;
    this.#quietUntil.set(origin, performance.now() + awayLogIntervalMs);
    this.#options.log.warn({ backend: origin, reason: error.message }, 'request to a backend failed');
  }

  #send(request: IncomingMessage, response: ServerResponse, target: BackendTarget): void {
    const outgoing = openOrRefuse(response, () => this.#open(request.method ?? 'GET', target));
    if (!outgoing) return;
    const refuse = (text: string): void => {
      if (response.headersSent || response.destroyed) response.destroy();
      else {
        sendText(response, 502, text);
        discardRest(request);
      }
    };
    // Timeout until the response starts. Later pauses may be longer.
    outgoing.setTimeout(backendResponseMs, () => outgoing.destroy(new Error('the backend did not respond in time')));
    outgoing.once('error', (error) => {
      if (!response.headersSent && !response.destroyed) this.#reportAway(error, target);
      refuse(noAnswer);
    });
    // Refuses a protocol switch that was not requested (RFC 9110 §15.2.2).
    outgoing.once('upgrade', (_answer, backend: Duplex) => {
      backend.on('error', () => undefined).destroy();
      refuse(badAnswer);
    });
    outgoing.once('response', (answer) => {
      outgoing.setTimeout(backendIdleMs, () => outgoing.destroy(new Error('the transfer from the backend stalled')));
      if (!response.destroyed && writeHead(response, answer, target)) {
        pipeline(answer, response, () => undefined);
        return;
      }
      answer.destroy();
      refuse(badAnswer);
    });
    response.once('close', () => {
      if (!response.writableFinished) outgoing.destroy();
    });
    request.once('close', () => {
      if (!request.complete) outgoing.destroy();
    });
    request.pipe(outgoing);
    if (!request.complete) watchBodyPace(request, uploadStallMs, () => giveUpBody(request, response, outgoing));
  }
}

/** Returns false, and writes nothing, for an invalid response: a status that is not final, or forbidden bytes in a header. */
function writeHead(response: ServerResponse, answer: IncomingMessage, target: BackendTarget): boolean {
  const { statusCode = 0 } = answer;
  if (statusCode < 200) return false;
  try {
    response.writeHead(statusCode, target.responseHeaders(answer));
    return true;
  } catch {
    return false;
  }
}

function giveUpBody(request: IncomingMessage, response: ServerResponse, outgoing: ClientRequest): void {
  sendFailure(response, 'bodyTooSlow');
  discardRest(request);
  outgoing.destroy();
}

function openOrRefuse(response: ServerResponse, open: () => ClientRequest): ClientRequest | undefined {
  try {
    return open();
  } catch (error) {
    const isRefused = error instanceof RefusedBackend;
    sendText(response, isRefused ? 502 : 400, isRefused ? 'This path has no backend.' : 'The request is not valid.');
    return undefined;
  }
}
