// Opened but unused resources, such as half-open connections and sessions without a peer; bounded in total and per address. A new entry
// always replaces the oldest one, so that neither one peer nor many can keep others out. Pure.
import { addressGroup } from '@srs-stack/process/ip-address.ts';

export interface UnusedTableOptions<Entry> {
  /** Undefined: the owner limits them with `evictOldest`. */
  readonly maxEntries?: number;
  /** Maximum number of entries per address; one address may be a school behind one router. */
  readonly maxPerAddress: number;
  /** The entry was removed for a newer one: end it. */
  readonly onEvict: (entry: Entry) => void;
}

export class UnusedTable<Entry> {
  readonly #options: UnusedTableOptions<Entry>;
  /** Oldest first, with the address of each. */
  readonly #groups = new Map<Entry, string>();
  readonly #byGroup = new Map<string, Set<Entry>>();

  constructor(options: UnusedTableOptions<Entry>) {
    this.#options = options;
  }

  get size(): number {
    return this.#groups.size;
  }

  /**
   * Adds an entry as the newest, or makes it the newest. If its address has too many entries, the oldest of that address is removed; if the
   * table is full, the oldest of all.
   */
  add(entry: Entry, address: string): void {
    this.remove(entry);
    const group = addressGroup(address);
    const { maxEntries = Number.POSITIVE_INFINITY, maxPerAddress } = this.#options;
    const others = this.#byGroup.get(group);
    if (others !== undefined && others.size >= maxPerAddress) this.#evict(others);
    else if (this.size >= maxEntries) this.evictOldest();
    const members = this.#byGroup.get(group) ?? new Set();
    this.#byGroup.set(group, members.add(entry));
    this.#groups.set(entry, group);
  }

  /** The resource is in use now, or has ended. Idempotent. */
  remove(entry: Entry): void {
    const group = this.#groups.get(entry);
    if (group === undefined) return;
    this.#groups.delete(entry);
    const members = this.#byGroup.get(group);
    members?.delete(entry);
    if (members?.size === 0) this.#byGroup.delete(group);
  }

  /** Removes the oldest: false when the table is empty. */
  evictOldest(): boolean {
    return this.#evict(this.#groups.keys());
  }

  #evict(oldestFirst: Iterable<Entry>): boolean {
    for (const entry of oldestFirst) {
      this.remove(entry);
      this.#options.onEvict(entry);
      return true;
    }
    return false;
  }
}
