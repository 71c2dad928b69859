// The memory that bodies of calls take before the control plane is asked: so many bytes, so many of one address. Whoever goes
// beyond it gives up the oldest body that is not complete, which is the one that comes slowest.
import { everybody } from './address-key.ts';

export interface Share {
  readonly most: number;
  readonly mostPerAddress: number;
}

export interface HeldBody {
  readonly key: string;
  /** Bytes it takes. */
  held: number;
  /** Ends it; called for incomplete ones only. */
  readonly giveUp: () => void;
}

export class BodyMemory {
  readonly #limits: Share;
  #total = 0;
  readonly #totalOf = new Map<string, number>();
  /** Incomplete ones, oldest first. */
  readonly #incomplete = new Set<HeldBody>();

  constructor(limits: Share) {
    this.#limits = limits;
  }

  /** Bytes held now. */
  get total(): number {
    return this.#total;
  }

  begin(body: HeldBody): void {
    this.#incomplete.add(body);
  }

  /** Sets what a body takes. False, and unchanged, when there is no room even after others were given up. */
  resize(body: HeldBody, bytes: number): boolean {
    const more = bytes - body.held;
    if (more > 0 && !this.#makeRoom(body, more)) return false;
    body.held = bytes;
    this.#total += more;
    const ofKey = (this.#totalOf.get(body.key) ?? 0) + more;
    if (ofKey > 0) this.#totalOf.set(body.key, ofKey);
    else this.#totalOf.delete(body.key);
    return true;
  }

  /** It is complete: nobody else's need ends it any more. */
  complete(body: HeldBody): void {
    this.#incomplete.delete(body);
  }

  /** Idempotent. */
  end(body: HeldBody): void {
    this.#incomplete.delete(body);
    this.resize(body, 0);
  }

  #makeRoom(body: HeldBody, more: number): boolean {
    const { most, mostPerAddress } = this.#limits;
    const { key } = body;
    const exceedsOwn = () => key !== everybody && (this.#totalOf.get(key) ?? 0) + more > mostPerAddress;
    for (const other of this.#incomplete) {
      if (this.#total + more <= most && !exceedsOwn()) return true;
      if (other === body || other.held === 0 || (exceedsOwn() && other.key !== key)) continue;
      other.giveUp();
    }
    return this.#total + more <= most && !exceedsOwn();
  }
}
