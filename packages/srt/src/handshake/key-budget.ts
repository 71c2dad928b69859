// Limits the CPU time for keys from unauthenticated callers. Unwrapping keys takes about a millisecond (PBKDF2), and only then is a wrong
// passphrase detected. A caller without a response repeats its handshake.

/** Maximum number of handshakes per second whose keys are unwrapped. */
const maxPerSecond = 200;
/** Maximum per second for one address. All encoders of a studio behind one router have one address. */
const maxPerAddress = 50;
const secondUs = 1_000_000;

export class KeyBudget {
  #sinceUs = Number.NEGATIVE_INFINITY;
  #used = 0;
  readonly #usedBy = new Map<string, number>();

  /** Whether the keys of a handshake may be unwrapped now. If so, the handshake is counted. */
  take(address: string, nowUs: number): boolean {
    if (nowUs - this.#sinceUs >= secondUs) {
      this.#sinceUs = nowUs;
      this.#used = 0;
      this.#usedBy.clear();
    }
    const used = this.#usedBy.get(address) ?? 0;
    if (this.#used >= maxPerSecond || used >= maxPerAddress) return false;
    this.#used++;
    this.#usedBy.set(address, used + 1);
    return true;
  }
}
