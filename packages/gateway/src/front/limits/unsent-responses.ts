// Limits the memory of complete responses that clients have not read, in total and per address. Above a limit, drops responses whose
// clients do not read. If this frees too little memory, drops the newest response. Independent of HTTP.
import { everybody } from '@srs-stack/process/turn-queue.ts';

export interface UnsentLimits {
  readonly mostBytes: number;
  readonly mostBytesPerAddress: number;
  /** A client that reads nothing for this time may be disconnected to free memory, milliseconds. */
  readonly idleMs: number;
}

export interface UnsentResponse {
  readonly key: string;
  readonly bytes: number;
  readonly takenBytes: () => number;
  readonly cut: () => void;
}

interface Entry extends UnsentResponse {
  seenBytes: number;
  movedMs: number;
}

/** Maximum number of responses that are checked for each new response, which limits the work. */
const mostLooked = 32;

export class UnsentResponses {
  readonly #limits: UnsentLimits;
  readonly #now: () => number;
  /** Responses in the order of their last check, oldest first. */
  readonly #entries = new Set<Entry>();
  readonly #entriesOf = new Map<string, Set<Entry>>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;

  /** @param now monotonic milliseconds. */
  constructor(limits: UnsentLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts the response until the returned function is called (idempotent). Above a limit, drops other responses or this response. */
  hold(answer: UnsentResponse): () => void {
    const { key, bytes } = answer;
    const entry: Entry = { ...answer, seenBytes: answer.takenBytes(), movedMs: this.#now() };
    this.#entries.add(entry);
    this.#entriesOf.set(key, (this.#entriesOf.get(key) ?? new Set()).add(entry));
    this.#bytes += bytes;
    this.#bytesOf.set(key, (this.#bytesOf.get(key) ?? 0) + bytes);
    this.#makeRoom(entry);
    return () => this.#release(entry);
  }

  #makeRoom(newest: Entry): void {
    const { mostBytes, mostBytesPerAddress } = this.#limits;
    const { key } = newest;
    const ofKey = this.#entriesOf.get(key)!;
    const exceedsOwn = () => key !== everybody && (this.#bytesOf.get(key) ?? 0) > mostBytesPerAddress;
    for (let looked = 0; looked < mostLooked && (exceedsOwn() || this.#bytes > mostBytes); looked++) {
      const [oldest] = exceedsOwn() ? ofKey : this.#entries;
      if (oldest) this.#cutIfIdle(oldest);
    }
    if (exceedsOwn() || this.#bytes > mostBytes) this.#cut(newest);
  }

  #cutIfIdle(entry: Entry): void {
    const taken = entry.takenBytes();
    const nowMs = this.#now();
    if (taken === entry.seenBytes && nowMs - entry.movedMs >= this.#limits.idleMs) {
      this.#cut(entry);
      return;
    }
    if (taken !== entry.seenBytes) Object.assign(entry, { seenBytes: taken, movedMs: nowMs });
    for (const entries of [this.#entries, this.#entriesOf.get(entry.key)!]) {
      entries.delete(entry);
      entries.add(entry);
    }
  }

  #cut(entry: Entry): void {
    this.#release(entry);
    entry.cut();
  }

  #release(entry: Entry): void {
    if (!this.#entries.delete(entry)) return;
    const { key, bytes } = entry;
    const ofKey = this.#entriesOf.get(key)!;
    ofKey.delete(entry);
    this.#bytes -= bytes;
    if (ofKey.size > 0) this.#bytesOf.set(key, this.#bytesOf.get(key)! - bytes);
    else {
      this.#entriesOf.delete(key);
      this.#bytesOf.delete(key);
    }
  }
}
