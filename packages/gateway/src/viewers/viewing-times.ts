// How long each address has watched each stream here: the time that its reports may cover. This limits the reports of an address to its
// actual viewers. Holds only current sessions and the newest ended ones.
import { sourceNameOf } from '@srs-stack/contract/rendition-name.ts';
import type { SessionInfo } from '@srs-stack/engine';
import { addressGroup } from '@srs-stack/process/ip-address.ts';

/** Initial time of a session, milliseconds: its player counts from the request. */
const headStartMs = 5_000;
/** Maximum unreported time of a session, milliseconds: the longest report. */
const mostKeptMs = 60_000;
/** Grace time for the last report after a session has ended, milliseconds. */
const rememberedForMs = 60_000;
/** Ended sessions that are kept, some 200 bytes each: the oldest is removed first. */
const maxEnded = 10_000;
/** Minimum cost of a report, milliseconds: a real viewer sends fewer than ten per second. */
const leastCostMs = 500;

interface Account {
  sessions: number;
  /** Unreported time. */
  ms: number;
  /** Unreported first frames: one for each session. */
  joins: number;
  atMs: number;
}

type Watched = Pick<SessionInfo, 'app' | 'stream' | 'ip'>;

export class ViewingTimes {
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();
  /** By the id of the session: an end is processed once. */
  readonly #running = new Map<string, string>();
  /** Accounts without a session, oldest first, with their end. */
  readonly #ended = new Map<string, number>();

  /** @param now monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Number of accounts, for tests. */
  get size(): number {
    return this.#accounts.size;
  }

  begin(session: Watched & Pick<SessionInfo, 'clientId'>): void {
    if (this.#running.has(session.clientId)) return;
    const key = keyOf(session);
    const account = this.#settled(key) ?? { sessions: 0, ms: 0, joins: 0, atMs: this.#now() };
    account.sessions += 1;
    account.joins += 1;
    account.ms = Math.min(account.ms + headStartMs, mostOf(account));
    this.#accounts.set(key, account);
    this.#running.set(session.clientId, key);
    this.#ended.delete(key);
  }

  /** Idempotent. */
  end({ clientId }: Pick<SessionInfo, 'clientId'>): void {
    const key = this.#running.get(clientId);
    const account = key === undefined ? undefined : this.#settled(key);
    if (key === undefined || !account) return;
    this.#running.delete(clientId);
    account.sessions -= 1;
    if (account.sessions > 0) return;
    this.#ended.set(key, this.#now());
    this.#forgetOld();
  }

  /** Whether a viewer there watches the stream, or did a moment ago. */
  knows(viewer: Watched): boolean {
    this.#forgetOld();
    return this.#accounts.has(keyOf(viewer));
  }

  /** Deducts the time of a report; false, without a change, when less time was watched there. */
  spend(viewer: Watched, seconds: number): boolean {
    const account = this.#settled(keyOf(viewer));
    const costMs = Math.max(leastCostMs, seconds * 1000);
    if (!account || account.ms < costMs) return false;
    account.ms -= costMs;
    return true;
  }

  /** Deducts a first frame; false when each session has already reported one. */
  spendJoin(viewer: Watched): boolean {
    const account = this.#accounts.get(keyOf(viewer));
    if (!account || account.joins === 0) return false;
    account.joins -= 1;
    return true;
  }

  /** Including the time since the last update. */
  #settled(key: string): Account | undefined {
    const account = this.#accounts.get(key);
    if (!account) return undefined;
    const now = this.#now();
    account.ms = Math.min(account.ms + account.sessions * (now - account.atMs), mostOf(account));
    account.atMs = now;
    return account;
  }

  #forgetOld(): void {
    for (const [key, endedAtMs] of this.#ended) {
      if (this.#now() - endedAtMs < rememberedForMs && this.#ended.size <= maxEnded) return;
      this.#ended.delete(key);
      this.#accounts.delete(key);
    }
  }
}

function mostOf({ sessions }: Account): number {
  return mostKeptMs * Math.max(1, sessions);
}

/** Phones change their IPv6 address within a network while they watch, and players the rendition; reports name the stream. */
function keyOf({ app, stream, ip }: Watched): string {
  return `${app}/${sourceNameOf(stream)} ${addressGroup(ip)}`;
}
