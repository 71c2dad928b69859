// HTTP client for one HLS source: follows redirects, keeps cookies, and checks the addresses to which the source refers.
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import { request } from '@srs-stack/process/node-http.ts';
import { guardedLookup, type MayContact, RedirectReach, refuseLiteral } from '../../util/reach.ts';
import { failureOfError } from '../../util/socket-failure.ts';
import { HttpHosts } from './http-hosts.ts';
import { leadsInward } from './pull-failure.ts';
import type { PullFailure } from './pull-status.ts';

/** A request to a server that sends nothing for this time fails, milliseconds. */
const idleTimeoutMs = 10_000;
/** Maximum number of redirects of one request. */
const maxRedirects = 5;
const userAgent = 'SRS Stack';

export interface HttpClientOptions {
  /** The address that the operator entered. User and password are sent only to the host of this address. */
  readonly address: URL;
  readonly acceptsAnyCertificate: boolean;
  readonly mayContact: MayContact;
  readonly isSourceNetwork: (address: string) => boolean;
  /** Replaced in tests, where public and private servers have loopback addresses. */
  readonly isPrivate?: ((address: string) => boolean) | undefined;
}

export interface HttpResponse {
  readonly response: IncomingMessage;
  /** URL of the response after redirects. */
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
  readonly #reach: RedirectReach;
  readonly #hosts: HttpHosts;
  readonly #closed = new AbortController();

  constructor(options: HttpClientOptions) {
    const { mayContact, isSourceNetwork, isPrivate, acceptsAnyCertificate } = options;
    this.#options = options;
    this.#reach = new RedirectReach({ mayContact, isNamed: isSourceNetwork, isPrivate });
    this.#hosts = new HttpHosts(acceptsAnyCertificate);
  }

  /** Resolves with a successful response, whose body must be read or destroyed. Rejects with `HttpFailure`. */
  async get(url: URL): Promise<HttpResponse> {
    let next = url;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const response = await this.#request(next);
      const { statusCode = 0, headers } = response;
      const ip = plainAddress(response.socket.remoteAddress ?? '');
      this.#reach.note(ip);
      this.#hosts.keepCookies(next, headers['set-cookie'] ?? []);
      if (statusCode === 200) return { response, url: next, ip };
      response.destroy();
      if (statusCode < 300 || statusCode >= 400 || !headers.location)
        throw new HttpFailure(failureOfStatus(statusCode));
      next = redirectTarget(headers.location, next);
    }
    const detail = 'the source redirects too often';
    throw new HttpFailure({ reason: 'failed', detail, fault: 'redirects-in-circle' });
  }

  /** Idempotent. */
  close(): void {
    this.#closed.abort();
    this.#hosts.close();
  }

  #request(url: URL): Promise<IncomingMessage> {
    const isTls = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const options: RequestOptions = {
      headers: this.#headersFor(url),
      lookup: guardedLookup(this.#reach.mayContact),
      agent: this.#hosts.agentFor(url),
      timeout: idleTimeoutMs,
      signal: this.#closed.signal,
    };
    return new Promise((resolve, reject) => {
      try {
        refuseLiteral(host, this.#reach.mayContact);
        const sent = isTls ? tlsRequest(url, options) : request(url, options);
        sent.on('timeout', () =>
          sent.destroy(new HttpFailure({ reason: 'timeout', detail: 'the source did not respond in time' })),
        );
        sent.on('error', (error) => reject(this.#failureOf(error, host)));
        sent.on('response', (response) => {
          // No timeout for the body, because it may be read at the pace of the media. The owner detects stalls.
          sent.setTimeout(0);
          resolve(response);
        });
        sent.end();
      } catch (error) {
        reject(this.#failureOf(error, host));
      }
    });
  }

  #headersFor(url: URL): Record<string, string> {
    const { address } = this.#options;
    const cookie = this.#hosts.cookieFor(url);
    const isOwn = url.host === address.host && url.protocol === address.protocol;
    const user = isOwn && `${decoded(address.username)}:${decoded(address.password)}`;
    return {
      'user-agent': userAgent,
      'accept-encoding': 'identity',
      ...(cookie && { cookie }),
      ...(user && user !== ':' && { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
    };
  }

  #failureOf(error: unknown, host: string): HttpFailure {
    if (error instanceof HttpFailure) return error;
    if (this.#reach.isInwardError(error)) return new HttpFailure(leadsInward(host));
    return new HttpFailure(failureOfError(error), { cause: error });
  }
}

/** Decodes percent-encoding. Invalid encoding stays unchanged, because a password may contain a percent sign. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function redirectTarget(location: string, from: URL): URL {
  const url = URL.parse(location, from.href);
  if (url && /^https?:$/.test(url.protocol)) return url;
  const detail = 'the source redirects to an address that is not HTTP';
  throw new HttpFailure({ reason: 'failed', detail, fault: 'redirects-elsewhere' });
}

function failureOfStatus(status: number): PullFailure {
  const detail = `the source returned HTTP ${status}`;
  if (status === 404 || status === 410) return { reason: 'not-found', detail };
  if (status === 401 || status === 403) return { reason: 'not-authorized', detail };
  return { reason: 'failed', detail };
}
