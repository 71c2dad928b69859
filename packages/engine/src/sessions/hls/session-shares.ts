// Shares the memory for HLS sessions fairly, with limits per address group and in total. Idle sessions are replaced first, then sessions of
// the largest group, then unused sessions. One address thus cannot keep out viewers of other addresses.
import { addressGroup } from '@srs-stack/process/ip-address.ts';

export interface SessionSharesOptions<Entry> {
  readonly maxBytes: number;
  readonly maxGroupBytes: number;
  readonly maxPerGroup: number;
  /** Maximum number of sessions per address group that no player uses yet. */
  readonly maxUnusedPerGroup: number;
  /** Whether the session has been idle for so long that its viewer counts as disconnected. */
  readonly isIdle: (entry: Entry) => boolean;
  /** Called when another session replaces this session, which must then be ended. */
  readonly onEvict: (entry: Entry) => void;
}

/** The sets are in order of activity, the least recently active session first. */
interface Group<Entry> {
  readonly name: string;
  bytes: number;
  readonly unused: Set<Entry>;
  readonly used: Set<Entry>;
}

/** A group with at most this part of the memory loses only unused sessions to other groups: 2 MB, or 400 viewers. */
const smallGroupParts = 64;
/**
 * A group may replace sessions of the largest group only if it uses less than this fraction of that group's memory. Equal groups thus never
 * displace each other's used sessions.
 */
const fairPart = 1 / 2;

export class SessionShares<Entry> {
  readonly #options: SessionSharesOptions<Entry>;
  readonly #groups = new Map<string, Group<Entry>>();
  /** Groups that are not small. There are at most `smallGroupParts` of them. */
  readonly #large = new Set<Group<Entry>>();
  readonly #entries = new Map<Entry, { readonly group: Group<Entry>; readonly bytes: number }>();
  /** Sessions of all groups that no player uses yet. */
  readonly #unused = new Set<Entry>();
  #bytes = 0;

  constructor(options: SessionSharesOptions<Entry>) {
    this.#options = options;
  }

  /**
   * Counts a session as unused until `use`. The session may replace other sessions. Returns false, without counting, if the session does
   * not fit and can replace no other session.
   */
  take(entry: Entry, address: string, bytes: number): boolean {
    const { maxBytes, maxGroupBytes, maxPerGroup, maxUnusedPerGroup } = this.#options;
    const name = addressGroup(address);
    const group = this.#groups.get(name) ?? { name, bytes: 0, unused: new Set(), used: new Set() };
    if (bytes > maxGroupBytes) return false;
    while (group.unused.size >= maxUnusedPerGroup) this.#evictFrom(group);
    while (sizeOf(group) >= maxPerGroup || group.bytes + bytes > maxGroupBytes) this.#evictFrom(group);
    while (this.#bytes + bytes > maxBytes) if (!this.#makeRoomFor(group, bytes)) return false;
    this.#groups.set(name, group);
    this.#entries.set(entry, { group, bytes });
    group.unused.add(entry);
    this.#unused.add(entry);
    this.#resize(group, bytes);
    return true;
  }

  /** Records that a player uses the session. */
  use(entry: Entry): void {
    const group = this.#entries.get(entry)?.group;
    if (!group) return;
    group.unused.delete(entry);
    this.#unused.delete(entry);
    group.used.delete(entry);
    group.used.add(entry);
  }

  /** Records that no player uses the session any more. */
  rest(entry: Entry): void {
    const group = this.#entries.get(entry)?.group;
    if (!group) return;
    group.used.delete(entry);
    group.unused.add(entry);
    this.#unused.add(entry);
  }

  /** Call after the end of the session. Idempotent. */
  release(entry: Entry): void {
    const counted = this.#entries.get(entry);
    if (!counted) return;
    const { group, bytes } = counted;
    this.#entries.delete(entry);
    group.unused.delete(entry);
    group.used.delete(entry);
    this.#unused.delete(entry);
    this.#resize(group, -bytes);
    if (sizeOf(group) === 0) this.#groups.delete(group.name);
  }

  #resize(group: Group<Entry>, bytes: number): void {
    this.#bytes += bytes;
    group.bytes += bytes;
    if (group.bytes > this.#options.maxBytes / smallGroupParts) this.#large.add(group);
    else this.#large.delete(group);
  }

  #makeRoomFor(group: Group<Entry>, bytes: number): boolean {
    const [oldest] = this.#unused;
    if (oldest !== undefined && this.#options.isIdle(oldest)) return this.#evict(oldest);
    let largest: Group<Entry> | undefined;
    for (const each of this.#large) if (each.bytes > (largest?.bytes ?? 0)) largest = each;
    if (largest && group.bytes + bytes < largest.bytes * fairPart) return this.#evictFrom(largest);
    return oldest !== undefined && this.#evict(oldest);
  }

  /** Ends the session of the group that has been idle longest; unused sessions first. */
  #evictFrom({ unused, used }: Group<Entry>): boolean {
    for (const entries of [unused, used]) for (const entry of entries) return this.#evict(entry);
    return false;
  }

  #evict(entry: Entry): true {
    this.release(entry);
    this.#options.onEvict(entry);
    return true;
  }
}

function sizeOf<Entry>({ unused, used }: Group<Entry>): number {
  return unused.size + used.size;
}
