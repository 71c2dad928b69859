// Memory of request bodies before they are forwarded to the control plane. Limited in total and per address. Above a limit, the oldest
// incomplete body is dropped, because its client is the slowest.
import { everybody } from '@srs-stack/process/turn-queue.ts';

export interface Share {
  readonly most: number;
  readonly mostPerAddress: number;
}

export interface HeldBody {
  readonly key: string;
  /** Memory that the body occupies, bytes. */
  held: number;
  /** Aborts the request. Called only while the body is incomplete. */
  readonly giveUp: () => void;
}

export class BodyMemory {
  readonly #limits: Share;
  #total = 0;
  readonly #totalOf = new Map<string, number>();
  /** Sorted, oldest body first. */
  readonly #incomplete = new Set<HeldBody>();

  constructor(limits: Share) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  begin(body: HeldBody): void {
    this.#incomplete.add(body);
  }

  /** Sets the size of a body. Returns false, and keeps the size, when dropping other incomplete bodies does not free enough memory. */
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

  /** The body is complete and cannot be dropped any more. */
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
