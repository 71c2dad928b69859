// The nonce of one RTSP connection, for Digest authentication. The response of a client (proof) is valid once, on this connection, for a
// limited time. An intercepted proof is therefore useless.
import { digestChallenge, parseDigestProof, type ReceivedProof } from '@srs-stack/media/protocols/rtsp/digest-proof.ts';
import type { RtspRequest } from '@srs-stack/media/protocols/rtsp/rtsp-message.ts';
import { randomId } from '../../util/random-id.ts';

/** Lifetime of a nonce, milliseconds. Most clients respond immediately, some after a user has typed the password. */
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

  /** Creates a nonce and returns the value for a `WWW-Authenticate` header. */
  challenge(isStale: boolean): string {
    this.#current = { nonce: randomId(nonceLength), sinceMs: this.#clock() };
    return digestChallenge({ realm: rtspRealm, nonce: this.#current.nonce, isStale });
  }

  /**
   * Returns the proof in a request; undefined without a proof. `stale`: the nonce, realm or URL of the proof is not valid. The nonce cannot
   * be used again.
   */
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

/** Some clients hash only the path of the URL. */
function isSameTarget(uri: string, url: string): boolean {
  return uri === url || uri === url.replace(/^rtspu?s?:\/\/[^/?]*/i, '');
}
