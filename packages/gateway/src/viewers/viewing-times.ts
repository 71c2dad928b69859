// How long each address has watched each stream, which is the time that its reports may cover. This limits the reports of an address to its
// real viewers. Contains only current sessions and the newest ended ones.
import { sourceNameOf } from '@srs-stack/contract/rendition-name.ts';
import type { SessionInfo } from '@srs-stack/engine';
import { addressGroup } from '@srs-stack/process/ip-address.ts';

/** Time that a session has at its start, milliseconds, because the player counts from its request, which precedes the session. */
const headStartMs = 5_000;
/** Maximum unreported time of a session, milliseconds; the period of the longest report. */
const mostKeptMs = 60_000;
/** Time after the end of a session in which its last report is accepted, milliseconds. */
const rememberedForMs = 60_000;
/** Maximum number of ended sessions that are kept, about 200 bytes each; the oldest is removed first. */
const maxEnded = 10_000;
/** Minimum time that a report deducts, milliseconds; a real viewer sends fewer than ten per second. */
const leastCostMs = 500;

interface Account {
  sessions: number;
  /** Unreported time, milliseconds. */
  ms: number;
  /** Number of unreported first frames; each session has one. */
  joins: number;
  atMs: number;
}

type Watched = Pick<SessionInfo, 'app' | 'stream' | 'ip'>;

export class ViewingTimes {
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();
  /** Key of the account by id of the session, so that an end is processed once. */
  readonly #running = new Map<string, string>();
  /** End times of accounts without a running session, oldest first. */
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

  /** Whether a viewer at that address watches the stream, or did recently. */
  knows(viewer: Watched): boolean {
    this.#forgetOld();
    return this.#accounts.has(keyOf(viewer));
  }

  /** Deducts the time of a report. False, without a change, when less time was watched. */
  spend(viewer: Watched, seconds: number): boolean {
    const account = this.#settled(keyOf(viewer));
    const costMs = Math.max(leastCostMs, seconds * 1000);
    if (!account || account.ms < costMs) return false;
    account.ms -= costMs;
    return true;
  }

  /** Deducts a first frame. False when each session has already reported one. */
  spendJoin(viewer: Watched): boolean {
    const account = this.#accounts.get(keyOf(viewer));
    if (!account || account.joins === 0) return false;
    account.joins -= 1;
    return true;
  }

  /** Adds the time since the last update to an account and returns the account. */
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

/**
 * Uses the network of an IPv6 address, because phones change the address within it while they watch. Uses the source of a rendition,
 * because players switch renditions while reports name the stream.
 */
function keyOf({ app, stream, ip }: Watched): string {
  return `${app}/${sourceNameOf(stream)} ${addressGroup(ip)}`;
}
