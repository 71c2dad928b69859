// An RTSP client that plays a stream (RFC 2326), interleaved in the connection or over UDP. Sends OPTIONS, DESCRIBE, SETUP and PLAY, then
// keep-alive requests. The caller owns the sockets and passes bytes and the time.
import { ProtocolError } from '../../protocol-error.ts';
import { type AnnouncedMedia, parseAnnouncedMedia } from '../sdp/announced-media.ts';
import { attributeValues, splitSdp } from '../sdp/sdp-lines.ts';
import type { Credentials } from './credentials.ts';
import { authorize, type Challenge, chooseChallenge } from './digest.ts';
import { controlUrl } from './pull-address.ts';
import {
  type ReceivedResponse,
  type RtspRequest,
  requestTarget,
  writeRtspRequest,
  writeRtspResponse,
} from './rtsp-message.ts';
import { RtspReader } from './rtsp-reader.ts';

/** Why the session ended without a call of `end`. */
export type PullOutcome =
  | { readonly kind: 'refused'; readonly method: string; readonly status: number; readonly reason: string }
  | { readonly kind: 'unauthorized'; readonly cause: 'credentials-missing' | 'credentials-refused' | 'scheme-unknown' }
  | { readonly kind: 'redirect'; readonly url: string };

/** A pair of UDP ports for RTP and RTCP. */
export interface UdpPorts {
  readonly rtp: number;
  readonly rtcp: number;
}

export interface RtspPullHandler {
  send(bytes: Buffer): void;
  /** The server has described its media. Call `setUp` next. */
  onDescribed(media: readonly AnnouncedMedia[]): void;
  onPlaying(): void;
  /** Only over UDP: the server's ports for one track; undefined if the server sends no ports (RFC 2326 §12.39). */
  onServerPorts(index: number, ports: UdpPorts | undefined): void;
  /** `index` is the position in the described media. `data` is a view, valid only during the call. */
  onFrame(index: number, isRtcp: boolean, data: Buffer): void;
  /** Last call. */
  onEnd(outcome: PullOutcome): void;
}

export interface RtspPullOptions {
  readonly url: string;
  readonly credentials: Credentials | undefined;
  readonly userAgent: string;
  /** Returns new random hexadecimal text for each challenge. */
  readonly clientNonce: () => string;
}

/** Maximum attempts per request: first without credentials, then with credentials, then once more after a stale nonce. */
const maxTries = 3;
/** Session timeout of servers that send no timeout (RFC 2326 §12.37), and bounds for received timeouts, seconds. */
const defaultTimeoutSeconds = 60;
const timeoutRange = { least: 4, most: 3_600 } as const;
/** Longest interval between keep-alive requests, milliseconds. Some servers end sessions earlier than announced. */
const longestSilenceMs = 25_000;
const highestPort = 65_535;
/** Maximum length of a server's text in error messages, characters. */
const maxReasonLength = 200;

interface PendingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly onResponse: (response: ReceivedResponse) => void;
  readonly cseq: number;
  readonly tries: number;
  readonly isAuthorized: boolean;
}

export class RtspPullClient {
  readonly #handler: RtspPullHandler;
  readonly #options: RtspPullOptions;
  readonly #reader: RtspReader;
  /** Index of the media, keyed by RTP channel. RTP channels are even. */
  readonly #channels = new Map<number, number>();
  #media: readonly AnnouncedMedia[] = [];
  #hasTrack = false;
  #pending: PendingRequest | undefined;
  #cseq = 0;
  #challenge: Challenge | undefined;
  #nonceUses = 0;
  #isProven = false;
  #baseUrl: string;
  #playUrl: string;
  #session = '';
  #silenceMs = longestSilenceMs;
  #aliveAtMs: number | undefined;
  #aliveMethod: 'GET_PARAMETER' | 'OPTIONS' = 'OPTIONS';
  #isPlaying = false;
  #isOver = false;

  constructor(options: RtspPullOptions, handler: RtspPullHandler) {
    this.#options = options;
    this.#handler = handler;
    this.#baseUrl = options.url;
    this.#playUrl = options.url;
    this.#reader = new RtspReader({
      onRequest: (request) => this.#respond(request),
      onResponse: (response) => this.#take(response),
      onFrame: (channel, data) => this.#handleFrame(channel, data),
    });
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  /** Some received data is unprocessed. Call `readOn` in a later turn of the event loop, before the next `read`. */
  get isHeldBack(): boolean {
    return this.#reader.isHeldBack;
  }

  start(): void {
    this.#request('OPTIONS', this.#options.url, {}, (response) => {
      const methods = response.headers.get('public') ?? '';
      if (/\bGET_PARAMETER\b/i.test(methods)) this.#aliveMethod = 'GET_PARAMETER';
      // Requests the description even if the server refuses OPTIONS.
      this.#describe();
    });
  }

  /** Reads received bytes, split anywhere. Throws ProtocolError. */
  read(bytes: Buffer): void {
    if (!this.#isOver) this.#reader.read(bytes);
  }

  /** Processes the data that remains after `read`. Throws like `read`. */
  readOn(): void {
    if (!this.#isOver) this.#reader.readOn();
  }

  /**
   * Sets up and plays these media. Call once, after `onDescribed`. `ports` are the local UDP ports of each track; without `ports`, media is
   * interleaved in the connection.
   */
  setUp(indexes: readonly number[], ports?: ReadonlyMap<number, UdpPorts>): void {
    const [index, ...others] = indexes;
    if (index === undefined) {
      this.#play();
      return;
    }
    const own = ports?.get(index);
    const channel = index * 2;
    const transport = own
      ? `RTP/AVP;unicast;client_port=${own.rtp}-${own.rtcp}`
      : `RTP/AVP/TCP;unicast;interleaved=${channel}-${channel + 1}`;
    const url = controlUrl(this.#baseUrl, this.#media[index]?.control ?? '');
    this.#request('SETUP', url, { Transport: transport }, (response) => {
      if (response.status === 200) this.#accept(index, response, own ? undefined : channel);
      // An unavailable track does not affect other tracks.
      else if (others.length === 0 && !this.#hasTrack) {
        this.#refuse('SETUP', response);
        return;
      }
      this.setUp(others, ports);
    });
  }

  /** Keeps the session alive. Call about once a second. */
  tick(now: number): void {
    if (!this.#isPlaying || this.#isOver) return;
    this.#aliveAtMs ??= now;
    if (now - this.#aliveAtMs < this.#silenceMs) return;
    this.#aliveAtMs = now;
    // Also sent when the previous request has no response: the session may be alive on a server that never responds.
    this.#request(this.#aliveMethod, this.#playUrl, {}, (response) => {
      if (response.status === 454) this.#refuse(this.#aliveMethod, response);
      else if (response.status >= 400) this.#aliveMethod = 'OPTIONS';
    });
  }

  /** Ends the session at the server; no event follows. Idempotent. */
  end(): void {
    if (this.#isOver) return;
    if (this.#session !== '') this.#request('TEARDOWN', this.#playUrl, {}, () => undefined);
    this.#isOver = true;
  }

  #describe(): void {
    const { url } = this.#options;
    this.#request('DESCRIBE', url, { Accept: 'application/sdp' }, (response) => {
      if (response.status !== 200) {
        this.#refuse('DESCRIBE', response);
        return;
      }
      this.#media = parseAnnouncedMedia(response.body);
      this.#baseUrl = absolute(response.headers.get('content-base') ?? response.headers.get('content-location')) ?? url;
      const { head } = splitSdp(response.body.replace(/^\s+/, ''));
      this.#playUrl = controlUrl(this.#baseUrl, attributeValues(head, 'control')[0]?.trim() ?? '');
      this.#handler.onDescribed(this.#media);
    });
  }

  /** `channel`: requested channel of RTP; undefined over UDP. */
  #accept(index: number, { headers }: ReceivedResponse, channel: number | undefined): void {
    const transport = headers.get('transport') ?? '';
    if (channel !== undefined) this.#assign(index, transport, channel);
    else if (/^\s*RTP\/AVPF?\/TCP/i.test(transport)) {
      throw new ProtocolError('rtsp', 'the server responds to a request for UDP with TCP');
    } else this.#handler.onServerPorts(index, serverPorts(transport));
    this.#hasTrack = true;
    const [id = '', ...parameters] = (headers.get('session') ?? '').split(';').map((part) => part.trim());
    if (id !== '') this.#session = id;
    const named = parameters.map((each) => /^timeout\s*=\s*(\d{1,9})$/i.exec(each)?.[1]).find((each) => each);
    const { least, most } = timeoutRange;
    const seconds = Math.min(most, Math.max(least, Number(named ?? defaultTimeoutSeconds)));
    this.#silenceMs = Math.min(longestSilenceMs, (seconds * 1_000) / 2);
  }

  #assign(index: number, transport: string, wanted: number): void {
    const channel = Number(/interleaved\s*=\s*(\d{1,3})/i.exec(transport)?.[1] ?? wanted);
    if (channel % 2 === 1 || channel > 254 || this.#channels.has(channel)) {
      throw new ProtocolError('rtsp', 'the server assigns invalid or duplicate interleaved channels');
    }
    this.#channels.set(channel, index);
  }

  #play(): void {
    this.#request('PLAY', this.#playUrl, { Range: 'npt=0.000-' }, (response) => {
      if (response.status !== 200) {
        this.#refuse('PLAY', response);
        return;
      }
      this.#isPlaying = true;
      this.#handler.onPlaying();
    });
  }

  #request(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    onResponse: (response: ReceivedResponse) => void,
    tries = 1,
  ): void {
    if (this.#isOver) return;
    const authorization = this.#authorization(method, url);
    const cseq = ++this.#cseq;
    this.#pending = { method, url, headers, onResponse, cseq, tries, isAuthorized: authorization !== undefined };
    const all = {
      'User-Agent': this.#options.userAgent,
      ...(this.#session !== '' && { Session: this.#session }),
      ...(authorization !== undefined && { Authorization: authorization }),
      ...headers,
    };
    this.#handler.send(writeRtspRequest({ method, url, headers: all }, cseq));
  }

  #authorization(method: string, url: string): string | undefined {
    const { credentials, clientNonce } = this.#options;
    if (!this.#challenge || !credentials) return undefined;
    const count = ++this.#nonceUses;
    return authorize(this.#challenge, credentials, {
      ...{ method, url: requestTarget(url), count, clientNonce: clientNonce() },
    });
  }

  #take(response: ReceivedResponse): void {
    const pending = this.#pending;
    const number = response.headers.get('cseq');
    // Ignores provisional responses, and late responses to abandoned requests.
    if (!pending || this.#isOver || response.status < 200) return;
    if (number !== undefined && number !== String(pending.cseq)) return;
    this.#pending = undefined;
    if (response.status === 401) {
      this.#respondToChallenge(pending, response);
      return;
    }
    if (pending.isAuthorized) this.#isProven = true;
    const location = absolute(response.headers.get('location'));
    if (response.status >= 300 && response.status < 400 && location !== undefined) {
      this.#end({ kind: 'redirect', url: location });
      return;
    }
    pending.onResponse(response);
  }

  /** Does not resend a password that never succeeded, except after a stale nonce: cameras lock accounts after several failures. */
  #respondToChallenge(
    { method, url, headers, onResponse, tries, isAuthorized }: PendingRequest,
    { challenges }: ReceivedResponse,
  ): void {
    const challenge = chooseChallenge(challenges);
    if (!this.#options.credentials) {
      this.#end({ kind: 'unauthorized', cause: 'credentials-missing' });
      return;
    }
    if (!challenge) {
      this.#end({ kind: 'unauthorized', cause: 'scheme-unknown' });
      return;
    }
    const isOldNonce = this.#isProven || (challenge.scheme === 'digest' && challenge.isStale);
    if (tries >= maxTries || (isAuthorized && !isOldNonce)) {
      this.#end({ kind: 'unauthorized', cause: 'credentials-refused' });
      return;
    }
    this.#challenge = challenge;
    this.#nonceUses = 0;
    this.#request(method, url, headers, onResponse, tries + 1);
  }

  #respond({ method, headers }: RtspRequest): void {
    if (this.#isOver) return;
    const location = absolute(headers.get('location'));
    if (method === 'REDIRECT' && location !== undefined) {
      this.#end({ kind: 'redirect', url: location });
      return;
    }
    const isKnown = method === 'OPTIONS' || method === 'GET_PARAMETER' || method === 'SET_PARAMETER';
    this.#handler.send(writeRtspResponse({ status: isKnown ? 200 : 405 }, headers.get('cseq') ?? ''));
  }

  #handleFrame(channel: number, data: Buffer): void {
    const index = this.#channels.get(channel & ~1);
    if (index !== undefined && !this.#isOver) this.#handler.onFrame(index, (channel & 1) === 1, data);
  }

  #refuse(method: string, { status, reason }: ReceivedResponse): void {
    this.#end({ kind: 'refused', method, status, reason: readable(reason) });
  }

  #end(outcome: PullOutcome): void {
    this.#isOver = true;
    this.#handler.onEnd(outcome);
  }
}

function serverPorts(transport: string): UdpPorts | undefined {
  const [, first, second] = /server_port\s*=\s*(\d{1,5})(?:-(\d{1,5}))?/i.exec(transport) ?? [];
  const rtp = Number(first ?? 0);
  const rtcp = Number(second ?? rtp + 1);
  return isPort(rtp) && isPort(rtcp) ? { rtp, rtcp } : undefined;
}

function isPort(port: number): boolean {
  return port > 0 && port <= highestPort;
}

function absolute(url: string | undefined): string | undefined {
  return url !== undefined && /^rtsps?:\/\//i.test(url) ? url : undefined;
}

function readable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').slice(0, maxReasonLength);
}
