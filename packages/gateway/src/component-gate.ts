// Switched-off protocols: refuses new sessions without calling the control plane, and ends running sessions. Sessions of other protocols
// are not affected.

import type { Engine, EnginePorts, SessionInfo, Verdict } from '@srs-stack/engine';
import { isLoopback } from '@srs-stack/process/ip-address.ts';
import type { Logger } from '@srs-stack/process/logger.ts';

/** Component of a session by the prefix of its type. The components page of the console uses these names. */
const componentOfPrefix: readonly (readonly [prefix: RegExp, component: string])[] = [
  [/^(?:rtmp|fmle|flash|haivision)-/, 'rtmp'],
  [/^srt-/, 'srt'],
  [/^rtc-/, 'webrtc'],
  [/^(?:flv|ts|aac|mp3)-/, 'flv'],
  // `hls-publish` is a source that is pulled over HLS, not an HLS viewer.
  [/^hls-(?!publish)/, 'hls'],
];

function isSwitchedOff(session: SessionInfo, off: ReadonlySet<string>): boolean {
  const component = componentOfPrefix.find(([prefix]) => prefix.test(session.type))?.[1] ?? '';
  // RTMP from loopback stays allowed for workers. Forward, transcode and virtual live have separate switches.
  return off.has(component) && !(component === 'rtmp' && isLoopback(session.ip));
}

/** Wraps the ports of the engine to refuse sessions of switched-off protocols. */
export function withComponentGate(ports: EnginePorts, off: () => ReadonlySet<string>): EnginePorts {
  const guarded =
    (authorize: (session: SessionInfo) => Promise<Verdict>) =>
    (session: SessionInfo): Promise<Verdict> =>
      isSwitchedOff(session, off()) ? Promise.resolve(refusal) : authorize(session);
  return {
    ...ports,
    authorizePublish: guarded((session) => ports.authorizePublish(session)),
    authorizePlay: guarded((session) => ports.authorizePlay(session)),
  };
}

/**
 * Interval of checks while a protocol is off, milliseconds. A session that was connecting when the protocol was switched off plays at most
 * this long.
 */
const lookEveryMs = 1_000;

export interface SwitchedOffSessionsOptions {
  readonly engine: () => Pick<Engine, 'clients' | 'kick'>;
  readonly off: () => ReadonlySet<string>;
  readonly log: Logger;
}

/**
 * Ends sessions of switched-off protocols. While a protocol is off, checks regularly, because a session that is still connecting cannot be
 * ended.
 */
export class SwitchedOffSessions {
  readonly #options: SwitchedOffSessionsOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SwitchedOffSessionsOptions) {
    this.#options = options;
  }

  /** Ends the sessions that can be ended now. Call after every change of the switched-off protocols. */
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
    if (ended > 0)
      this.#options.log.info({ ended, off: [...off] }, 'sessions of protocols that were switched off were ended');
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
