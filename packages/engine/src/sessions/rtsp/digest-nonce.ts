// The nonce of one RTSP connection: proofs are for this connection, for one try each, and for a limited time. So a proof that somebody
// overheard opens nothing.
import { digestChallenge, parseDigestProof, type ReceivedProof } from '@srs-stack/media/protocols/rtsp/digest-proof.ts';
import type { RtspRequest } from '@srs-stack/media/protocols/rtsp/rtsp-message.ts';
import { randomId } from '../../util/random-id.ts';

/** How long a nonce may be answered, milliseconds: clients answer at once, some only after a user typed the password. */
const nonceLifeMs = 60_000;
const nonceLength = 32;
export const rtspRealm = 'SRS Stack';

export class DigestNonce {
  readonly #clock: () => number;
  #current: { readonly nonce: string; readonly sinceMs: number } | undefined;

  /** `clock`: monotonic milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Value of a `WWW-Authenticate` header with a new nonce. */
  challenge(isStale: boolean): string {
    this.#current = { nonce: randomId(nonceLength), sinceMs: this.#clock() };
    return digestChallenge({ realm: rtspRealm, nonce: this.#current.nonce, isStale });
  }

  /** The proof in a request; `stale` when it is for no nonce that is open, undefined without one. Uses up the nonce. */
  take({ method, url, headers }: RtspRequest): ReceivedProof | 'stale' | undefined {
    const proof = parseDigestProof(headers.get('authorization'), method);
    if (!proof) return undefined;
    const current = this.#current;
    this.#current = undefined;
    const isOpen = current?.nonce === proof.nonce && this.#clock() - current.sinceMs <= nonceLifeMs;
    if (!isOpen || proof.realm !== rtspRealm || !isSameTarget(proof.uri, url)) return 'stale';
    return proof;
  }
}

/** Some clients hash the path alone. */
function isSameTarget(uri: string, url: string): boolean {
  return uri === url || uri === url.replace(/^rtspu?s?:\/\/[^/?]*/i, '');
}
