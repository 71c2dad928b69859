// Starts a WHEP session while the scripts of the page still load. The player for that address later continues the session.
import { endRtcResource, makeRtcOffer, type RtcOffer, requestVideoAndAudio } from './rtc-offer.ts';

declare global {
  interface Window {
    /** Session started by the page's inline script, which is a separate bundle and shares no module with the player. */
    earlyWhep?: Pick<EarlyWhep, 'take' | 'answered'>;
  }
}

/** Time until an unused session is closed, milliseconds: the player has failed to load, or plays another protocol. */
const keptMs = 10_000;

interface Begun {
  readonly url: string;
  readonly offer: RtcOffer;
  readonly timer: ReturnType<typeof setTimeout>;
}

export class EarlyWhep {
  #begun: Begun | undefined;
  readonly #onPageHide = (): void => this.#drop();

  /** Starts at most one session. Never throws: without WebRTC, the player uses another protocol. */
  begin(url: string): void {
    if (this.#begun) return;
    try {
      const offer = makeRtcOffer({ url, prepare: requestVideoAndAudio, isHasty: true });
      this.#begun = { url, offer, timer: setTimeout(() => this.#drop(), keptMs) };
      addEventListener('pagehide', this.#onPageHide, { once: true });
    } catch {
      // Ignored, because the player starts its own session and reports the failure.
    }
  }

  /** Resolves when the request ends, at most after `mostMs`. Resolves immediately if no session was started. */
  answered(mostMs: number): Promise<unknown> {
    const { answered } = this.#begun?.offer ?? {};
    if (!answered) return Promise.resolve();
    return Promise.race([answered.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, mostMs))]);
  }

  /** Returns the session for this address once. A session for another address is closed. */
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
