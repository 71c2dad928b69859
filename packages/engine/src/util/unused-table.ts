// Opened but unused resources, such as half-open connections and sessions without a peer. Limited in total and per address. At a limit, a
// new entry replaces the oldest, so that waiting peers can never keep out new peers. Pure.
import { addressGroup } from '@srs-stack/process/ip-address.ts';

export interface UnusedTableOptions<Entry> {
  /** When undefined, the owner limits the entries with `evictOldest`. */
  readonly maxEntries?: number;
  /** Maximum number of entries per IPv4 address or IPv6 /64 network. A whole school may share one address. */
  readonly maxPerAddress: number;
  /** Called when this entry was removed by a limit or by `evictOldest`. End the resource. */
  readonly onEvict: (entry: Entry) => void;
}

export class UnusedTable<Entry> {
  readonly #options: UnusedTableOptions<Entry>;
  /** Address group of each entry, oldest entry first. */
  readonly #groups = new Map<Entry, string>();
  readonly #byGroup = new Map<string, Set<Entry>>();

  constructor(options: UnusedTableOptions<Entry>) {
    this.#options = options;
  }

  get size(): number {
    return this.#groups.size;
  }

  /**
   * Adds an entry as the newest, or makes an existing entry the newest. If the address has too many entries, removes the address's oldest
   * entry. If the table is full, removes the oldest of all entries.
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

  /** Call when the resource is in use or has ended. Idempotent. */
  remove(entry: Entry): void {
    const group = this.#groups.get(entry);
    if (group === undefined) return;
    this.#groups.delete(entry);
    const members = this.#byGroup.get(group);
    members?.delete(entry);
    if (members?.size === 0) this.#byGroup.delete(group);
  }

  /** Removes the oldest entry. Returns false when the table is empty. */
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
