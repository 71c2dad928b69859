// Playback authorization: applies the rule of the stream, then the viewer's link. The gateway checks every viewer and every HLS request.
// The control plane checks recordings and viewers of external media servers. Pure: time is a parameter.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { canonicalAddress } from '@srs-stack/process/ip-address.ts';
import { comparePatterns, matchesPattern } from '../stream-pattern.ts';
import {
  canonicalText,
  parseWatchValue,
  signaturesEqual,
  signText,
  type WatchLink,
  watchParameter,
  watchParameterOf,
  writeWatchValue,
} from './watch-link.ts';
import type { WatchMode, WatchRule, WatchSettings } from './watch-settings.ts';

/** Ids of the servers' keys. They are upper case, because key ids of operators are lower case. */
export const serverKeys = { console: 'C', reader: 'I', password: 'V', verdict: 'D', recording: 'R' } as const;
export type ServerKey = keyof typeof serverKeys;

/** Tolerance for signers whose clock is ahead, seconds. */
export const clockToleranceSeconds = 30;
/** Maximum number of stream names with a cached rule. All viewers of a stream share one entry. */
const maxRememberedNames = 10_000;

export interface WatchRequest {
  readonly app: string;
  readonly stream: string;
  readonly ip: string;
  readonly param: string;
  readonly isRecording?: boolean;
}

export type WatchRefusal = 'link-missing' | 'link-expired' | 'link-wrong' | 'password-missing';

export type WatchJudgement =
  | { readonly kind: 'open' }
  /** `expires`: Unix seconds; undefined for an internal reader, whose expiry is checked only when it starts. */
  | { readonly kind: 'granted'; readonly expires: number | undefined; readonly value: string }
  /** The rule delegates the decision to the operator's service. */
  | { readonly kind: 'ask' }
  /** `detail`: an English message with the remedy, without secrets. */
  | { readonly kind: 'refused'; readonly reason: WatchRefusal; readonly detail: string };

const openJudgement: WatchJudgement = { kind: 'open' };
const askJudgement: WatchJudgement = { kind: 'ask' };

export class WatchRights {
  readonly #rules: readonly WatchRule[];
  readonly #operatorKeys: ReadonlyMap<string, KeyObject>;
  readonly #serverSecret: string;
  readonly #serverKeys = new Map<string, KeyObject>();
  readonly #remembered = new Map<string, WatchRule | undefined>();

  constructor({ rules, keys, serverSecret }: Pick<WatchSettings, 'rules' | 'keys' | 'serverSecret'>) {
    this.#rules = [...rules].sort((a, b) => comparePatterns(a.pattern, b.pattern));
    this.#operatorKeys = new Map(keys.map(({ id, secret }) => [id, createSecretKey(Buffer.from(secret))]));
    this.#serverSecret = serverSecret;
  }

  /** The most specific rule for the stream. Undefined without a rule: the stream is open. */
  ruleOf({ app, stream }: { app: string; stream: string }): WatchRule | undefined {
    const name = `${app}/${stream}`;
    if (this.#rules.length === 0) return undefined;
    if (this.#remembered.has(name)) return this.#remembered.get(name);
    const rule = this.#rules.find(({ pattern }) => matchesPattern(pattern, name));
    if (this.#remembered.size >= maxRememberedNames) this.#remembered.clear();
    this.#remembered.set(name, rule);
    return rule;
  }

  /**
   * Authorizes a viewer. Never throws.
   * @param nowMs milliseconds since 1970.
   * @param isRunning the session was admitted before and is checked again.
   */
  judge(request: WatchRequest, nowMs: number, isRunning = false): WatchJudgement {
    const rule = this.ruleOf(request);
    const mode = rule?.mode ?? 'open';
    if (!rule || mode === 'open') return openJudgement;
    const parameter = watchParameterOf(request.param);
    if (parameter.kind === 'none') return mode === 'verdict' ? askJudgement : missing(mode);
    if (parameter.kind === 'many') return wrong('the parameter watch occurs more than once: use the original link');
    if (parameter.kind === 'too-long') return wrong('the query is too long: use the original link');
    const link = parseWatchValue(parameter.value);
    if (!link) return unsigned(mode, 'the parameter watch is damaged or incomplete: copy the whole link again');
    return this.#judgeLink(link, parameter.value, { request, rule, nowMs, isRunning });
  }

  /**
   * Signs a `watch` value for one stream with a key of the servers. Used for the console, internal readers, recordings, viewers who
   * entered the password, and viewers whom the operator's service accepted.
   * @param expires Unix seconds.
   * @throws when the servers have no secret.
   */
  issue(kind: ServerKey, { app, stream }: { app: string; stream: string }, expires: number): string {
    const key = serverKeys[kind];
    const secret = this.#serverKey(kind, this.ruleOf({ app, stream }));
    if (!secret) throw new Error('there is no secret to sign the link with');
    const signature = signText(canonicalText({ pattern: `${app}/${stream}`, expires }), secret);
    return writeWatchValue({ key, expires, isForAddress: false, signature });
  }

  #judgeLink(
    link: WatchLink,
    value: string,
    { request, rule, nowMs, isRunning }: { request: WatchRequest; rule: WatchRule; nowMs: number; isRunning: boolean },
  ): WatchJudgement {
    const { app, stream } = request;
    const name = `${app}/${stream}`;
    const secret = this.#secretOf(link.key, rule, request.isRecording);
    if (!secret)
      return unsigned(rule.mode, 'the signing key of the link is unknown or was revoked: ask for a new link');
    const pattern = link.pattern ?? name;
    const address = link.isForAddress ? canonicalAddress(request.ip) : undefined;
    const text = canonicalText({ ...link, pattern, ...(address !== undefined && { address }) });
    if (!signaturesEqual(signText(text, secret), link.signature)) {
      const others = link.isForAddress ? 'another stream or another address' : 'another stream';
      return unsigned(rule.mode, `the signature of the link is wrong: the link is for ${others}, or was changed`);
    }
    if (!matchesPattern(pattern, name)) return wrong('the link is for other streams');
    const now = nowMs / 1000;
    if (link.starts !== undefined && link.starts > now + clockToleranceSeconds) {
      return wrong('the link is not valid yet: try again at its start time, or compare the clocks');
    }
    const isReader = link.key === serverKeys.reader;
    if (link.expires <= now && !(isReader && isRunning)) return expired(rule.mode);
    return { kind: 'granted', expires: isReader ? undefined : link.expires, value };
  }

  /** Undefined for a revoked or unknown key, and for a key of the servers that does not fit the rule or the request. */
  #secretOf(key: string, rule: WatchRule, isRecording = false): KeyObject | undefined {
    switch (key) {
      case serverKeys.console:
        return this.#serverKey('console', rule);
      case serverKeys.reader:
        return this.#serverKey('reader', rule);
      case serverKeys.password:
        return rule.mode === 'password' ? this.#serverKey('password', rule) : undefined;
      case serverKeys.verdict:
        return rule.mode === 'verdict' ? this.#serverKey('verdict', rule) : undefined;
      case serverKeys.recording:
        return rule.mode === 'verdict' && isRecording ? this.#serverKey('recording', rule) : undefined;
      default:
        return this.#operatorKeys.get(key);
    }
  }

  /** Derives a secret for each purpose. A new password changes the secret for passwords. Undefined without a server secret. */
  #serverKey(kind: ServerKey, rule: WatchRule | undefined): KeyObject | undefined {
    if (this.#serverSecret === '') return undefined;
    const scope = kind === 'password' ? `${rule?.pattern ?? ''}\n${rule?.passwordVersion ?? ''}` : '';
    const name = `${kind}\n${scope}`;
    const known = this.#serverKeys.get(name);
    if (known) return known;
    const made = createSecretKey(createHmac('sha256', this.#serverSecret).update(name).digest());
    this.#serverKeys.set(name, made);
    return made;
  }
}

/** The query that authorizes playback: `watch=…`. */
export function watchQuery(value: string): string {
  return `${watchParameter}=${value}`;
}

function missing(mode: WatchMode): WatchJudgement {
  return mode === 'password'
    ? { kind: 'refused', reason: 'password-missing', detail: 'this stream needs a password: open its watch page' }
    : {
        kind: 'refused',
        reason: 'link-missing',
        detail: 'this stream needs a signed link: request one from its operator',
      };
}

/** Judgement about a parameter without a valid signature. In mode `verdict`, the parameter may be meant for the operator's service. */
function unsigned(mode: WatchMode, detail: string): WatchJudgement {
  return mode === 'verdict' ? askJudgement : wrong(detail);
}

function wrong(detail: string): WatchJudgement {
  return { kind: 'refused', reason: 'link-wrong', detail: `this link does not authorize playback: ${detail}` };
}

function expired(mode: WatchMode): WatchJudgement {
  if (mode === 'verdict') return askJudgement;
  const remedy = mode === 'password' ? 'enter the password again' : 'ask for a new link';
  return { kind: 'refused', reason: 'link-expired', detail: `this link has expired: ${remedy}` };
}
