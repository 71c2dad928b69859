// A WHEP session that the page starts before its player has loaded: offer, answer, connection and first frame arrive while scripts still
// load. The player of the same address continues the session.
import { endRtcResource, makeRtcOffer, type RtcOffer, requestVideoAndAudio } from './rtc-offer.ts';

declare global {
  interface Window {
    /** A session started by the inline script of the page. That script is a separate bundle and shares no module with the player. */
    earlyWhep?: Pick<EarlyWhep, 'take' | 'answered'>;
  }
}

/** Time after which a session that no player has taken is closed, milliseconds: the scripts did not load, or play another protocol. */
const keptMs = 10_000;

interface Begun {
  readonly url: string;
  readonly offer: RtcOffer;
  readonly timer: ReturnType<typeof setTimeout>;
}

export class EarlyWhep {
  #begun: Begun | undefined;
  readonly #onPageHide = (): void => this.#drop();

  /** Starts at most once. Never throws: a browser without WebRTC plays over another protocol. */
  begin(url: string): void {
    if (this.#begun) return;
    try {
      const offer = makeRtcOffer({ url, prepare: requestVideoAndAudio, isHasty: true });
      this.#begun = { url, offer, timer: setTimeout(() => this.#drop(), keptMs) };
      addEventListener('pagehide', this.#onPageHide, { once: true });
    } catch {
      // Ignored: the player starts its own session and reports the failure.
    }
  }

  /** Resolves when the request succeeds or fails, or after `mostMs`; immediately if no session was started. */
  answered(mostMs: number): Promise<unknown> {
    const { answered } = this.#begun?.offer ?? {};
    if (!answered) return Promise.resolve();
    return Promise.race([answered.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, mostMs))]);
  }

  /** Returns the session for this address, once; closes a session for another address. */
  take(url: string): RtcOffer | undefined {
    if (this.#begun?.url !== url) {
      this.#drop();
      return undefined;
    }
    return this.#letGo()?.offer;
  }

  #drop(): void {
    const begun = this.#letGo();
    begun?.offer.peer.close();
    begun?.offer.answered.then(endRtcResource, () => undefined);
  }

  #letGo(): Begun | undefined {
    const begun = this.#begun;
    this.#begun = undefined;
    clearTimeout(begun?.timer);
    removeEventListener('pagehide', this.#onPageHide);
    return begun;
  }
}
