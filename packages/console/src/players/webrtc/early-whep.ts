// A WHEP session that a page begins before its player is there: offer, answer, connection and first picture are on their way while scripts are
// still being read. The player of the same address takes it over.
import { endRtcResource, makeRtcOffer, type RtcOffer } from './rtc-offer.ts';

/** One that no player has taken by then is ended, milliseconds: the scripts did not come, or play another way. */
const keptMs = 10_000;

interface Begun {
  readonly url: string;
  readonly offer: RtcOffer;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Asks for picture and sound. */
export function wantPictureAndSound(peer: RTCPeerConnection): void {
  for (const kind of ['video', 'audio'] as const) peer.addTransceiver(kind, { direction: 'recvonly' });
}

export class EarlyWhep {
  #begun: Begun | undefined;
  /** A player has asked already: what begins now would be one too many. */
  #isLate = false;
  readonly #onPageHide = (): void => this.#drop();

  /** Before the first player, else nothing happens. Never throws: a browser without WebRTC plays another way. */
  begin(url: string): void {
    if (this.#isLate || this.#begun) return;
    try {
      const offer = makeRtcOffer({ url, prepare: wantPictureAndSound, isHasty: true });
      this.#begun = { url, offer, timer: setTimeout(() => this.#drop(), keptMs) };
      addEventListener('pagehide', this.#onPageHide, { once: true });
    } catch {
      // The player says what is missing, if it comes to that.
    }
  }

  /** The one to that address, once; what was begun for another is ended. */
  take(url: string): RtcOffer | undefined {
    this.#isLate = true;
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

/** The page's own. */
export const earlyWhep = new EarlyWhep();
