// GET requests of one HLS source: redirects, cookies, and the addresses that the source may lead to.
import type { IncomingMessage, RequestOptions } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import { Agent, request } from '@srs-stack/process/node-http.ts';
import { isPrivateAddress } from '@srs-stack/process/private-networks.ts';
import { ForbiddenHostError, guardedLookup, type MayContact, refuseLiteral } from '../../util/reach.ts';
import { failureOfError } from '../../util/socket-failure.ts';
import type { PullFailure } from './pull-status.ts';

/** A server that sends nothing for this long is given up, milliseconds. */
const idleTimeoutMs = 10_000;
const maxRedirects = 5;
/** Cookies that a source sets and gets back, bytes of each host. */
const maxCookieBytes = 4_096;
const userAgent = 'SRS Stack';

export interface HttpClientOptions {
  /** As the operator entered it: its user and password are for its host alone. */
  readonly address: URL;
  readonly acceptsAnyCertificate: boolean;
  readonly mayContact: MayContact;
  readonly isSourceNetwork: (address: string) => boolean;
  /** For tests, whose addresses are all of one kind. */
  readonly isPrivate?: (address: string) => boolean;
}

export interface HttpAnswer {
  readonly response: IncomingMessage;
  /** After redirects. */
  readonly url: URL;
  readonly ip: string;
}

/** Why a request failed. */
export class HttpFailure extends Error {
  readonly failure: PullFailure;

  constructor(failure: PullFailure, options?: ErrorOptions) {
    super(failure.detail, options);
    this.name = 'HttpFailure';
    this.failure = failure;
  }
}

export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #isPrivate: (address: string) => boolean;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 2 });
  readonly #tlsAgent: TlsAgent;
  readonly #cookies = new Map<string, string>();
  readonly #closed = new AbortController();
  /** Whether the address of the operator leads to a private network; undefined before the first connection. */
  #isInward: boolean | undefined;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#isPrivate = options.isPrivate ?? isPrivateAddress;
    this.#tlsAgent = new TlsAgent({
      ...{ keepAlive: true, maxSockets: 2 },
      rejectUnauthorized: !options.acceptsAnyCertificate,
    });
  }

  /** Resolves with a successful answer; its body must be read or destroyed. Rejects with `HttpFailure`. */
  async get(url: URL): Promise<HttpAnswer> {
    let next = url;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const response = await this.#request(next);
      const { statusCode = 0, headers } = response;
      const ip = plainAddress(response.socket.remoteAddress ?? '');
      this.#isInward ??= this.#isPrivate(ip);
      this.#keepCookies(next, headers['set-cookie'] ?? []);
      if (statusCode === 200) return { response, url: next, ip };
      response.destroy();
      if (statusCode < 300 || statusCode >= 400 || !headers.location)
        throw new HttpFailure(failureOfStatus(statusCode));
      next = redirectTarget(headers.location, next);
    }
    const detail = 'the source redirects in a circle';
    throw new HttpFailure({ reason: 'failed', detail, fault: 'redirects-in-circle' });
  }

  /** Idempotent. */
  close(): void {
    this.#closed.abort();
    this.#agent.destroy();
    this.#tlsAgent.destroy();
  }

  #request(url: URL): Promise<IncomingMessage> {
    const isTls = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const options: RequestOptions = {
      headers: this.#headersFor(url),
      lookup: guardedLookup(this.#mayReach),
      agent: isTls ? this.#tlsAgent : this.#agent,
      timeout: idleTimeoutMs,
      signal: this.#closed.signal,
    };
    return new Promise((resolve, reject) => {
      try {
        refuseLiteral(host, this.#mayReach);
        const sent = isTls ? tlsRequest(url, options) : request(url, options);
        sent.on('timeout', () => sent.destroy(new HttpFailure({ reason: 'timeout', detail: 'no answer' })));
        sent.on('error', (error) => reject(this.#failureOf(error, host)));
        sent.on('response', (response) => {
          // The body may be read at the pace of its media; the owner notices a stall.
          sent.setTimeout(0);
          resolve(response);
        });
        sent.end();
      } catch (error) {
        reject(this.#failureOf(error, host));
      }
    });
  }

  /** A public server must not steer this one into private networks; one that the operator entered from there may. */
  readonly #mayReach: MayContact = (address) => {
    const { mayContact, isSourceNetwork } = this.#options;
    if (!mayContact(address)) return false;
    return this.#isInward !== false || !this.#isPrivate(address) || isSourceNetwork(address);
  };

  #headersFor(url: URL): Record<string, string> {
    const { address } = this.#options;
    const cookie = this.#cookies.get(url.host);
    const isOwn = url.host === address.host && url.protocol === address.protocol;
    const user = isOwn && `${decodeURIComponent(address.username)}:${decodeURIComponent(address.password)}`;
    return {
      'user-agent': userAgent,
      'accept-encoding': 'identity',
      ...(cookie && { cookie }),
      ...(user && user !== ':' && { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
    };
  }

  #keepCookies({ host }: URL, lines: readonly string[]): void {
    const known = new Map((this.#cookies.get(host) ?? '').split('; ').map(nameAndPair));
    for (const line of lines) known.set(...nameAndPair(line.split(';', 1)[0] ?? ''));
    known.delete('');
    const cookie = [...known.values()].join('; ');
    if (cookie.length <= maxCookieBytes) this.#cookies.set(host, cookie);
  }

  #failureOf(error: unknown, host: string): HttpFailure {
    if (error instanceof HttpFailure) return error;
    if (error instanceof ForbiddenHostError && this.#isInward === false) {
      const detail = `${host} is in a private network`;
      return new HttpFailure({ reason: 'address-refused', detail, fault: 'leads-inward', subject: host });
    }
    return new HttpFailure(failureOfError(error), { cause: error });
  }
}

function nameAndPair(pair: string): [name: string, pair: string] {
  return [pair.split('=', 1)[0]?.trim() ?? '', pair.trim()];
}

function redirectTarget(location: string, from: URL): URL {
  const url = URL.parse(location, from.href);
  if (url && /^https?:$/.test(url.protocol)) return url;
  const detail = 'the source redirects to an address that is not HTTP';
  throw new HttpFailure({ reason: 'failed', detail, fault: 'redirects-elsewhere' });
}

function failureOfStatus(status: number): PullFailure {
  const detail = `HTTP status ${status}`;
  if (status === 404 || status === 410) return { reason: 'not-found', detail };
  if (status === 401 || status === 403) return { reason: 'not-authorized', detail };
  return { reason: 'failed', detail };
}
