// A WHEP session that the page starts before its player has loaded: offer, answer, connection and first frame arrive
// while scripts still load. The player of the same address takes it over.
import { endRtcResource, makeRtcOffer, type RtcOffer, wantPictureAndSound } from './rtc-offer.ts';

declare global {
  interface Window {
    /** What a script in the page itself has begun. That script is a bundle of its own: no module is shared with the player. */
    earlyWhep?: Pick<EarlyWhep, 'take' | 'answered'>;
  }
}

/**
 * A session that no player has taken over after this time is closed, milliseconds: the scripts did not load, or play
 * another protocol.
 */
const keptMs = 10_000;

interface Begun {
  readonly url: string;
  readonly offer: RtcOffer;
  readonly timer: ReturnType<typeof setTimeout>;
}

export class EarlyWhep {
  #begun: Begun | undefined;
  readonly #onPageHide = (): void => this.#drop();

  /** Once. Never throws: a browser without WebRTC plays another way. */
  begin(url: string): void {
    if (this.#begun) return;
    try {
      const offer = makeRtcOffer({ url, prepare: wantPictureAndSound, isHasty: true });
      this.#begun = { url, offer, timer: setTimeout(() => this.#drop(), keptMs) };
      addEventListener('pagehide', this.#onPageHide, { once: true });
    } catch {
      // The player reports what is missing, if that happens.
    }
  }

  /** Resolves when there is nothing to wait for: answered, refused, or after `mostMs`. */
  answered(mostMs: number): Promise<unknown> {
    const { answered } = this.#begun?.offer ?? {};
    if (!answered) return Promise.resolve();
    return Promise.race([answered.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, mostMs))]);
  }

  /** The one to that address, once; what was begun for another is ended. */
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
