// Playback authorization: rules, keys, links and passwords. Gateways authorize viewers by the file that this module writes
// (docs/decisions/right-to-watch.md).
import { isIP } from 'node:net';
import {
  AppError,
  because,
  changed,
  maxWatchKeys,
  type SettingChange,
  switched,
  verbatim,
  type WatchMode,
} from '@srs-stack/contract';
import { signLink } from '@srs-stack/playback/access/watch-link.ts';
import { type ServerKey, type WatchRequest, WatchRights, watchQuery } from '@srs-stack/playback/access/watch-rights.ts';
import { comparePatterns } from '@srs-stack/playback/stream-pattern.ts';
import { canonicalAddress } from '@srs-stack/process/ip-address.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { Actor } from '../actor.ts';
import type { Callbacks } from '../callbacks/callbacks.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { requireRevision, revisionOf } from '../concurrency/settings-revision.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { HeldDocument } from '../store/held-document.ts';
import type { Store } from '../store/store.ts';
import { createPlayVerdicts, type PlayVerdicts, type Viewer } from './play-verdicts.ts';
import { createViewerPasswords, hashPassword, type ViewerPasswords } from './viewer-passwords.ts';
import type { WatchFile } from './watch-file.ts';
import {
  artifactLinkSeconds,
  consoleLinkSeconds,
  readerLinkSeconds,
  renewalSeconds,
  viewerSeconds,
} from './watch-limits.ts';
import { holdWatching, newSecret, type StoredRule, type StoredWatching } from './watch-store.ts';

interface StreamName {
  readonly app: string;
  readonly stream: string;
}

/** Query that authorizes playback of a stream. `expiresAt`: Unix seconds. */
interface Opened {
  readonly query: string;
  readonly expiresAt: number;
}

interface RuleDraft {
  readonly pattern: string;
  readonly mode: WatchMode;
  /** Undefined keeps the stored password. */
  readonly password?: string | undefined;
}

interface LinkDraft {
  readonly pattern: string;
  /** Duration from `startsAt`, or from now if that is later or missing. */
  readonly seconds: number;
  readonly startsAt?: number | undefined;
  readonly address?: string | undefined;
}

/** Maximum length of the rules in the audit trail, characters. */
const maxShownRules = 500;

/** Validity of internal queries by purpose, seconds. */
const readers = { console: consoleLinkSeconds, reader: readerLinkSeconds, artifact: artifactLinkSeconds } as const;

export interface WatchingDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
  readonly callbacks: Pick<Callbacks, 'askPlay' | 'settings'>;
  readonly watchFile: WatchFile;
}

export async function openWatching(deps: WatchingDeps): Promise<Watching> {
  const held = await holdWatching(deps.store);
  const watching = new Watching(deps, held);
  await watching.apply();
  held.onChange(() => watching.apply());
  return watching;
}

export class Watching {
  readonly #deps: WatchingDeps;
  readonly #held: HeldDocument<StoredWatching>;
  readonly #oneAtATime = createOneAtATime();
  readonly #passwords: ViewerPasswords;
  readonly #verdicts: PlayVerdicts;
  #rights = new WatchRights({ rules: [], keys: [], serverSecret: '' });

  constructor(deps: WatchingDeps, held: HeldDocument<StoredWatching>) {
    this.#deps = deps;
    this.#held = held;
    this.#passwords = createViewerPasswords(deps.now);
    this.#verdicts = createPlayVerdicts(deps.callbacks, () => this.#nowMs);
  }

  current() {
    const { rules, keys, viewerReports } = this.#held.current();
    const sorted = [...rules].sort((a, b) => comparePatterns(a.pattern, b.pattern));
    return {
      rules: sorted.map(({ pattern, mode, passwordHash }) => ({ pattern, mode, hasPassword: passwordHash !== '' })),
      keys: keys.map(({ id, secret, createdAt }) => ({ id, last4: secret.slice(-4), createdAt })),
      renewalSeconds,
      viewerReports,
      revision: revisionOf(rules),
    };
  }

  async apply(): Promise<void> {
    const { rules, keys, serverSecret, viewerReports } = this.#held.current();
    const settings = {
      rules: rules.map(({ pattern, mode, passwordVersion }) => ({ pattern, mode, passwordVersion })),
      keys: keys.map(({ id, secret }) => ({ id, secret })),
      serverSecret,
      isWholeVerdict: true,
      viewerReports,
    };
    this.#rights = new WatchRights(settings);
    await this.#deps.watchFile.write(settings);
  }

  /** Throws `watchRuleInvalid`. Throws `settingsChanged` if `revision` is given and outdated. */
  changeRules(drafts: readonly RuleDraft[], actor: Actor, revision?: string): Promise<void> {
    return this.#change(async (before) => {
      requireRevision(revision, before.rules);
      requireNoneTwice(drafts);
      const rules: StoredRule[] = [];
      for (const draft of drafts) rules.push(await this.#toRule(draft, before));
      const shown = rules
        .map(({ pattern, mode }) => `${pattern} ${mode}`)
        .join(', ')
        .slice(0, maxShownRules);
      return {
        next: { ...before, rules },
        audit: () => this.#audit(actor, changed('watching.rules', { rules: shown || changed('amount.none') })),
        result: undefined,
      };
    });
  }

  get hasViewerReports(): boolean {
    return this.#held.current().viewerReports;
  }

  switchViewerReports(enabled: boolean, actor: Actor): Promise<void> {
    return this.#change(async (before) => ({
      next: { ...before, viewerReports: enabled },
      audit: () => this.#audit(actor, changed('watching.reports', { state: switched(enabled) })),
      result: undefined,
    }));
  }

  /** The only method that returns the secret. Throws `watchKeysTaken`. */
  createKey(actor: Actor): Promise<{ id: string; secret: string }> {
    return this.#change(async (before) => {
      if (before.keys.length >= maxWatchKeys) throw new AppError('watchKeysTaken');
      const keysMade = before.keysMade + 1;
      const key = { id: `k${keysMade}`, secret: newSecret() };
      const keys = [...before.keys, { ...key, createdAt: this.#deps.now().toISOString() }];
      const audit = () => this.#audit(actor, changed('watching.key-made', { id: key.id }));
      return { next: { ...before, keys, keysMade }, audit, result: key };
    });
  }

  revokeKey(id: string, actor: Actor): Promise<void> {
    return this.#change(async (before) => {
      const keys = before.keys.filter((key) => key.id !== id);
      if (keys.length === before.keys.length) throw new AppError('notFound', because('watching.key-unknown', { id }));
      const audit = () => this.#audit(actor, changed('watching.key-revoked', { id }));
      return { next: { ...before, keys }, audit, result: undefined };
    });
  }

  /** Signs with the newest key. Throws `watchKeyMissing`, or `invalidRequest` for an invalid address. */
  link({ pattern, seconds, startsAt, address }: LinkDraft): Opened & { keyId: string } {
    const key = this.#held.current().keys.at(-1);
    if (!key) throw new AppError('watchKeyMissing');
    const bound = address?.trim() ? canonicalAddress(address.trim()) : undefined;
    if (bound !== undefined && isIP(bound) === 0) {
      throw new AppError('invalidRequest', because('watching.address', { address: bound }));
    }
    const expires = Math.max(this.#nowSeconds, startsAt ?? 0) + seconds;
    const starts = startsAt === undefined ? {} : { starts: startsAt };
    const value = signLink({ key, pattern, expires, ...starts, ...(bound !== undefined && { address: bound }) });
    return { query: watchQuery(value), expiresAt: expires, keyId: key.id };
  }

  /** Query for the console, for a reader on this server, or for a recording link in a callback. Empty if the stream is open. */
  ownQuery(purpose: keyof typeof readers, name: StreamName): Opened {
    const kind: ServerKey = purpose === 'reader' ? 'reader' : 'console';
    return this.modeOf(name) === 'open' ? { query: '', expiresAt: 0 } : this.#issue(kind, name, readers[purpose]);
  }

  modeOf(name: StreamName): WatchMode {
    return this.#rights.ruleOf(name)?.mode ?? 'open';
  }

  passwordGuesses(): ReturnType<ViewerPasswords['counts']> {
    return this.#passwords.counts();
  }

  /** Throws `watchPasswordUnused` and the errors of `ViewerPasswords`. */
  async unlock(name: StreamName, password: string, actor: Actor): Promise<Opened> {
    const pattern = this.#rights.ruleOf(name)?.pattern;
    const rule = this.#held.current().rules.find((each) => each.pattern === pattern);
    if (rule?.mode !== 'password') throw new AppError('watchPasswordUnused');
    await this.#passwords.require({ password, stored: rule.passwordHash, address: actor.ip });
    return this.#issue('password', name, viewerSeconds);
  }

  /**
   * Authorizes a viewer that no gateway has authorized: of a recording, or of an external media server. Resolves with the validity in
   * seconds if the operator's service decided. Throws `watchRightMissing`, `watchRefused` or `callbackRefused`.
   */
  async admit(viewer: Viewer): Promise<number | undefined> {
    const judgement = this.judge(viewer);
    if (judgement.kind === 'ask') return this.#verdicts.ask(viewer);
    if (judgement.kind !== 'refused') return undefined;
    const name = judgement.reason === 'link-wrong' ? 'watchRefused' : 'watchRightMissing';
    throw new AppError(name, verbatim(judgement.detail));
  }

  /** Authorizes a viewer of a recording. Resolves with the query for URLs in the playlist; '' if playback is open. */
  async admitRecording(viewer: Viewer): Promise<string> {
    const asking = { ...viewer, isRecording: true };
    const judgement = this.judge(asking);
    await this.admit(asking);
    if (judgement.kind === 'granted') return watchQuery(judgement.value);
    return judgement.kind === 'ask' ? this.#issue('recording', viewer, consoleLinkSeconds).query : '';
  }

  judge(request: WatchRequest) {
    return this.#rights.judge(request, this.#nowMs);
  }

  get #nowMs(): number {
    return this.#deps.now().getTime();
  }

  get #nowSeconds(): number {
    return Math.floor(this.#nowMs / 1000);
  }

  #issue(kind: ServerKey, name: StreamName, seconds: number): Opened {
    const expiresAt = this.#nowSeconds + seconds;
    return { query: watchQuery(this.#rights.issue(kind, name, expiresAt)), expiresAt };
  }

  async #toRule({ pattern, mode, password }: RuleDraft, before: StoredWatching): Promise<StoredRule> {
    const known = before.rules.find((rule) => rule.pattern === pattern);
    if (mode === 'verdict' && !this.#hasCallback()) {
      throw new AppError('watchRuleInvalid', because('watching.no-callback', { pattern }));
    }
    if (password) {
      const passwordHash = await hashPassword(password);
      this.#passwords.learn(password, passwordHash);
      return { pattern, mode, passwordHash, passwordVersion: newSecret() };
    }
    if (mode === 'password' && !known?.passwordHash) {
      throw new AppError('watchRuleInvalid', because('watching.no-password', { pattern }));
    }
    const { passwordHash = '', passwordVersion = '' } = known ?? {};
    return { pattern, mode, passwordHash, passwordVersion };
  }

  #hasCallback(): boolean {
    const { all, target } = this.#deps.callbacks.settings();
    return all && target !== '';
  }

  /** Runs one change at a time. Stores a change before applying it. */
  #change<T>(
    step: (before: StoredWatching) => Promise<{ next: StoredWatching; audit: () => Promise<void>; result: T }>,
  ): Promise<T> {
    return this.#oneAtATime(async () => {
      const before = this.#held.current();
      const { next, audit, result } = await step(before);
      await this.#held.replace(before, next);
      await this.apply();
      await audit();
      return result;
    });
  }

  #audit(actor: Actor, change: SettingChange): Promise<void> {
    return this.#deps.audit.record('setting-changed', actor, change);
  }
}

function requireNoneTwice(drafts: readonly RuleDraft[]): void {
  const seen = new Set<string>();
  for (const { pattern } of drafts) {
    if (seen.has(pattern)) throw new AppError('watchRuleInvalid', because('watching.twice', { pattern }));
    seen.add(pattern);
  }
}
