// Records how long each address has watched each stream. Reports of an address may not cover more time, so an address cannot report
// invented viewers. Contains current sessions and the newest ended sessions.
import { sourceNameOf } from '@srs-stack/contract/rendition-name.ts';
import type { SessionInfo } from '@srs-stack/engine';
import { addressGroup } from '@srs-stack/process/ip-address.ts';

/** Watched time that a new session starts with, milliseconds. Players measure from their request, which precedes the session. */
const headStartMs = 5_000;
/** Maximum unreported time of a session, milliseconds: the period of the longest report. */
const mostKeptMs = 60_000;
/** After the end of a session, its last report is accepted for this time, milliseconds. */
const rememberedForMs = 60_000;
/** Maximum number of ended sessions, about 200 bytes each. The oldest is removed first. */
const maxEnded = 10_000;
/** Minimum time that a report deducts, milliseconds. Limits the number of reports with a period near zero. */
const leastCostMs = 500;

interface Account {
  sessions: number;
  /** Watched time that was not reported yet, milliseconds. */
  ms: number;
  /** Number of unreported first frames. Each session has one first frame. */
  joins: number;
  atMs: number;
}

type Watched = Pick<SessionInfo, 'app' | 'stream' | 'ip'>;

export class ViewingTimes {
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();
  /** Keys in `#accounts` by the id of the running session. Only the first `end` of a session is processed. */
  readonly #running = new Map<string, string>();
  /** End times of accounts without a running session, oldest first. */
  readonly #ended = new Map<string, number>();

  /** @param now monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

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

  /** Whether a viewer at this address watches the stream, or watched it recently. */
  knows(viewer: Watched): boolean {
    this.#forgetOld();
    return this.#accounts.has(keyOf(viewer));
  }

  /** Deducts the time of a report. Returns false, and changes nothing, when less time was watched. */
  spend(viewer: Watched, seconds: number): boolean {
    const account = this.#settled(keyOf(viewer));
    const costMs = Math.max(leastCostMs, seconds * 1000);
    if (!account || account.ms < costMs) return false;
    account.ms -= costMs;
    return true;
  }

  /** Deducts a first frame. Returns false when each session has already reported one. */
  spendJoin(viewer: Watched): boolean {
    const account = this.#accounts.get(keyOf(viewer));
    if (!account || account.joins === 0) return false;
    account.joins -= 1;
    return true;
  }

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
 * Uses the network of an IPv6 address, because phones change the address within the network. Uses the source of a rendition: reports name
 * the source, and players switch between renditions.
 */
function keyOf({ app, stream, ip }: Watched): string {
  return `${app}/${sourceNameOf(stream)} ${addressGroup(ip)}`;
}
