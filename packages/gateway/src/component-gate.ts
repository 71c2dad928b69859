// Protocols that are switched off: refuses new sessions before the control plane is called, and ends running ones. Sessions of other
// protocols are not affected.

import type { Engine, EnginePorts, SessionInfo, Verdict } from '@srs-stack/engine';
import { isLoopback } from '@srs-stack/process/ip-address.ts';
import type { Logger } from '@srs-stack/process/logger.ts';

/** Protocol of a session, with the names of the components page. */
const componentOfPrefix: readonly (readonly [prefix: RegExp, component: string])[] = [
  [/^(?:rtmp|fmle|flash|haivision)-/, 'rtmp'],
  [/^srt-/, 'srt'],
  [/^rtc-/, 'webrtc'],
  [/^(?:flv|ts|aac|mp3)-/, 'flv'],
  // A source that is pulled by HLS uses no output.
  [/^hls-(?!publish)/, 'hls'],
];

/** Whether the session uses a protocol that is off. */
function isSwitchedOff(session: SessionInfo, off: ReadonlySet<string>): boolean {
  const component = componentOfPrefix.find(([prefix]) => prefix.test(session.type))?.[1] ?? '';
  // Forward, transcode and virtual live use RTMP on this machine; they have their own switches.
  return off.has(component) && !(component === 'rtmp' && isLoopback(session.ip));
}

/** The host's ports, with sessions of a switched-off protocol refused immediately. */
export function withComponentGate(ports: EnginePorts, off: () => ReadonlySet<string>): EnginePorts {
  const guarded =
    (ask: (session: SessionInfo) => Promise<Verdict>) =>
    (session: SessionInfo): Promise<Verdict> =>
      isSwitchedOff(session, off()) ? Promise.resolve(refusal) : ask(session);
  return {
    ...ports,
    authorizePublish: guarded((session) => ports.authorizePublish(session)),
    authorizePlay: guarded((session) => ports.authorizePlay(session)),
  };
}

/**
 * Interval of checks while a protocol is off, milliseconds: the longest playing time of a session that was admitted before and connected
 * afterwards.
 */
const lookEveryMs = 1_000;

export interface SwitchedOffSessionsOptions {
  readonly engine: () => Pick<Engine, 'clients' | 'kick'>;
  readonly off: () => ReadonlySet<string>;
  readonly log: Logger;
}

/** Ends the sessions of switched-off protocols, at once and those that were still connecting. Checks regularly while a protocol is off. */
export class SwitchedOffSessions {
  readonly #options: SwitchedOffSessionsOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SwitchedOffSessionsOptions) {
    this.#options = options;
  }

  /** Ends the sessions that can be ended now; call it after the set of switched-off protocols changed. */
  end(): void {
    const off = this.#options.off();
    if (off.size === 0) {
      this.close();
      return;
    }
    this.#timer ??= setInterval(() => this.end(), lookEveryMs).unref();
    const engine = this.#options.engine();
    const ended = engine
      .clients()
      .filter(({ session }) => isSwitchedOff(session, off) && engine.kick(session.clientId)).length;
    if (ended > 0) this.#options.log.info({ ended, off: [...off] }, 'sessions of switched-off protocols ended');
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

const refusal: Verdict = {
  allowed: false,
  reason: 'switched-off',
  detail: 'this protocol is switched off on the components page',
};
