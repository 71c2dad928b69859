// Playback authorization in this gateway, by `config/watching.json`. The rules in this file stay in effect while the control plane is
// unavailable.
// - If the file contains all rules, the control plane is queried only where the operator's service decides. For other viewers, the control
//   plane gets a notice.
// - Sessions are checked again when the rules change, when an authorization expires, and when a verdict of the operator's service expires.
import { parseRenditionName, sourceNameOf } from '@srs-stack/contract/rendition-name.ts';
import type { Engine, EnginePorts, PlayRequest, SessionInfo, Verdict } from '@srs-stack/engine';
import { isValidAt } from '@srs-stack/playback/access/verdict-validity.ts';
import { type WatchJudgement, type WatchRequest, watchQuery } from '@srs-stack/playback/access/watch-rights.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import type { PlayVerdict } from './callbacks/platform-callbacks.ts';
import { type CachedVerdict, type ConnectingViewer, PlaybackVerdicts } from './playback-verdicts.ts';
import { watchRightsFile } from './watch-rights-file.ts';

/** Interval of checks for expired authorizations, milliseconds. Must equal `renewalSeconds` of the control plane. */
const watchRenewalMs = 10_000;
/** Validity of a signed parameter in a playlist after its verdict expires, seconds. Longer than the time until the next playlist. */
const segmentGraceSeconds = 60;

export interface WatchGateOptions {
  readonly file: string;
  /** Queries the operator's service through the control plane. */
  readonly query: (session: SessionInfo) => Promise<PlayVerdict>;
  /** Reports a viewer that needed no query to the control plane. */
  readonly notify: (session: SessionInfo) => void;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

interface Watched {
  readonly session: SessionInfo;
  /** Time of the next check, milliseconds since 1970. Infinite: checked only when the rules change. */
  untilMs: number;
}

export class WatchGate {
  readonly #options: WatchGateOptions;
  readonly #now: () => number;
  readonly #file: ReturnType<typeof watchRightsFile>;
  readonly #verdicts: PlaybackVerdicts;
  /**
   * Admitted sessions until their end, including sessions that do not play yet, because WebRTC takes time to connect. HLS sessions are not
   * included, because each HLS request is authorized.
   */
  readonly #watched = new Map<string, Watched>();
  #renewing: NodeJS.Timeout | undefined;
  #renewedAtMs = 0;
  #engine: Pick<Engine, 'kick'> | undefined;

  constructor(options: WatchGateOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const { file, log } = options;
    this.#file = watchRightsFile({ file, log, onChange: (isRead) => this.#onChange(isRead) });
    this.#verdicts = new PlaybackVerdicts({ query: options.query, now: this.#now });
  }

  async start(engine: Pick<Engine, 'kick'>): Promise<void> {
    this.#engine = engine;
    await this.#file.start();
    const { log } = this.#options;
    this.#renewing = setInterval(() => {
      try {
        this.renew();
      } catch (error) {
        log.error({ err: error }, 'playback authorizations could not be renewed');
      }
    }, watchRenewalMs).unref();
  }

  get isReportingOn(): boolean {
    return this.#file.current().isReportingOn;
  }

  close(): void {
    this.#file.close();
    clearInterval(this.#renewing);
  }

  /** Wraps the ports of the engine, so that each viewer needs playback authorization. */
  guard<Ports extends EnginePorts>(ports: Ports): Ports {
    return {
      ...ports,
      authorizePlay: (session: SessionInfo) => this.#admit(ports, session),
      reviewPlay: (request: PlayRequest) => this.#review(request),
      onStop: (session: SessionInfo) => {
        this.#watched.delete(session.clientId);
        // A control plane that only gets notices of new viewers needs no notice of their end.
        if (!this.#file.current().isWholeVerdict) ports.onStop(session);
      },
    };
  }

  /**
   * Decides who may watch without calling the operator's service: everyone, this viewer, or no one. Where the service decides, the cached
   * verdict counts.
   */
  mayWatch(request: WatchRequest): 'everybody' | 'yes' | 'no' {
    const judgement = this.#judge(request);
    if (judgement.kind === 'open') return 'everybody';
    if (judgement.kind !== 'ask') return judgement.kind === 'granted' ? 'yes' : 'no';
    const cached = this.#verdicts.known(request);
    return cached && isValidAt(cached, this.#now()) && cached.verdict.allowed ? 'yes' : 'no';
  }

  reload(): Promise<void> {
    return this.#file.look();
  }

  async #admit(ports: EnginePorts, session: SessionInfo): Promise<Verdict> {
    // Reads a changed file first, so that a viewer whom the new rules refuse is not admitted.
    if (this.#file.current().isWholeVerdict) await this.#file.look();
    const rights = this.#file.current().rights;
    const judgement = this.#judge(session);
    const verdict = judgement.kind === 'ask' ? await this.#verdictOfService(session) : toVerdict(judgement);
    if (!verdict.allowed) return verdict;
    // `ask`: the verdict came through the control plane, so the control plane knows the viewer.
    const further = judgement.kind === 'ask' ? verdict : await this.#queryHost(ports, session);
    if (!further.allowed) return further;
    // Checks again when the rules have changed during the query. Changes apply to admitted sessions, and this session was not admitted yet.
    if (rights !== this.#file.current().rights) return this.#admit(ports, session);
    this.#watch(session, judgement);
    return verdict;
  }

  /** When all rules are in the file, only sends a notice to the control plane. If not, queries a verdict of the control plane. */
  #queryHost(ports: EnginePorts, session: SessionInfo): Verdict | Promise<Verdict> {
    if (!this.#file.current().isWholeVerdict) return ports.authorizePlay(session);
    // A rendition is not counted, because its viewers count for the source stream.
    if (!parseRenditionName(session.stream)) this.#options.notify(session);
    return { allowed: true };
  }

  #onChange(isRead: boolean): void {
    if (isRead) this.#verdicts.clear();
    for (const { session } of this.#watched.values()) this.#lookAgain(session);
  }

  /** Checks sessions whose authorization has expired, and ends sessions that are now refused. */
  renew(): void {
    const now = this.#now();
    const isSetBack = now < this.#renewedAtMs;
    this.#renewedAtMs = now;
    for (const { session, untilMs } of this.#watched.values()) {
      if (untilMs <= now || isSetBack) this.#lookAgain(session);
    }
  }

  /** Authorizes a request for a master playlist. */
  review(request: PlayRequest): Verdict | Promise<Verdict> {
    return this.#review(request);
  }

  /** Synchronous, except where the operator's service decides. */
  #review(request: PlayRequest): Verdict | Promise<Verdict> {
    const judgement = this.#judge(request);
    if (judgement.kind !== 'ask') return toVerdict(judgement);
    // The URL of a segment must contain the signed parameter from the playlist.
    if (request.isSegment) return askedWithout;
    return this.#reviewByWord(request);
  }

  async #reviewByWord(request: PlayRequest): Promise<Verdict> {
    const rights = this.#file.current().rights;
    const { isSegment: _, ...session } = request;
    const verdict = await this.#verdictOfService(session);
    // Decides again when the rules have changed during the query.
    return rights === this.#file.current().rights ? verdict : this.#review(request);
  }

  #judge(request: Pick<SessionInfo, 'app' | 'stream' | 'ip' | 'param'>, isRunning = false): Judgement {
    return this.#file.current().rights?.judge(ofSource(request), this.#now(), isRunning) ?? { kind: 'unreadable' };
  }

  #watch(session: SessionInfo, judgement: Judgement): void {
    // HLS is authorized per request, so HLS sessions need no later check.
    if (session.type === 'hls-play') return;
    this.#watched.set(session.clientId, { session, untilMs: this.#endOf(session, judgement) });
  }

  #endOf(session: SessionInfo, judgement: Judgement): number {
    if (judgement.kind === 'granted' && judgement.expires !== undefined) return judgement.expires * 1000;
    if (judgement.kind !== 'ask') return Number.POSITIVE_INFINITY;
    return this.#verdicts.known(ofSource(session))?.untilMs ?? this.#now();
  }

  #lookAgain(session: SessionInfo): void {
    const judgement = this.#judge(session, true);
    if (judgement.kind === 'refused') this.#end(session, judgement.detail);
    else if (judgement.kind === 'ask') this.#queryAgain(session, judgement);
    else this.#watch(session, judgement);
  }

  /** Queries whether a session may continue. While the control plane is unavailable, sessions continue. */
  #queryAgain(session: SessionInfo, judgement: Judgement): void {
    this.#verdictOfService(session)
      .then((verdict) => {
        if (verdict.allowed || verdict.reason === 'control-plane-away') this.#rewatch(session, judgement);
        else this.#end(session, verdict.detail);
      })
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'playback authorization of a viewer could not be renewed'),
      );
  }

  /** Schedules the next check unless the session has ended meanwhile. */
  #rewatch(session: SessionInfo, judgement: Judgement): void {
    if (this.#watched.has(session.clientId)) this.#watch(session, judgement);
  }

  /** Ends a session. A session that does not play yet cannot be ended, and is checked again later. */
  #end(session: SessionInfo, detail: string): void {
    const { clientId, app, stream, ip } = session;
    const watched = this.#watched.get(clientId);
    if (!watched) return;
    watched.untilMs = this.#now();
    if (!this.#engine?.kick(clientId)) return;
    this.#watched.delete(clientId);
    this.#options.log.info({ clientId, app, stream, ip, detail }, 'playback authorization ended');
  }

  async #verdictOfService(asking: ConnectingViewer): Promise<Verdict> {
    const session = ofSource(asking);
    const cached = await this.#verdicts.of(session);
    return cached.verdict.allowed ? this.#withPass(session, cached) : cached.verdict;
  }

  /** Adds a signed parameter to the URLs of a playlist. This saves a query for each segment. */
  #withPass(name: { app: string; stream: string }, { untilMs }: CachedVerdict): Verdict {
    const rights = this.#file.current().rights;
    if (rights?.ruleOf(name)?.mode !== 'verdict') return { allowed: true };
    const expires = Math.ceil(untilMs / 1000) + segmentGraceSeconds;
    return { allowed: true, carry: watchQuery(rights.issue('verdict', name, expires)) };
  }
}

type Judgement = WatchJudgement | { readonly kind: 'unreadable' };

const unreadable: Verdict = {
  allowed: false,
  reason: 'control-plane-away',
  detail: 'the access rules cannot be read: see the log of the server',
};
const askedWithout: Verdict = {
  allowed: false,
  reason: 'link-wrong',
  detail: 'the address of the segment lacks the query from the playlist: request the playlist again',
};

/** Replaces a rendition by its source stream, because an authorization includes all renditions. */
function ofSource<Request extends { readonly stream: string }>(request: Request): Request {
  const stream = sourceNameOf(request.stream);
  return stream === request.stream ? request : { ...request, stream };
}

function toVerdict(judgement: Exclude<Judgement, { kind: 'ask' }>): Verdict {
  if (judgement.kind === 'unreadable') return unreadable;
  if (judgement.kind === 'open') return { allowed: true };
  if (judgement.kind === 'granted') return { allowed: true, carry: watchQuery(judgement.value) };
  return { allowed: false, reason: judgement.reason, detail: judgement.detail };
}
