// Who may watch, judged in this gateway: by `config/watching.json`, which the control plane writes and which goes on holding while it
// is away. Only where the operator's own service decides, the control plane is asked; of others it is told. Who plays is looked at
// again when the rules change, when a right ends, and when a word of that service has grown old.
import { parseRenditionName, sourceNameOf } from '@srs-stack/contract/rendition-name.ts';
import type { Engine, EnginePorts, PlayRequest, SessionInfo, Verdict } from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';
import { type WatchJudgement, type WatchRequest, watchQuery } from '@srs-stack/process/watch-rights/watch-rights.ts';
import { holdsAt } from '@srs-stack/process/watch-rights/word.ts';
import type { PlayWord } from './callbacks/platform-callbacks.ts';
import { WatchRightsFile } from './watch-rights-file.ts';
import { type AskingViewer, type WatchWord, WatchWords } from './watch-words.ts';

/** A session whose right has ended is ended after this long at most, milliseconds; `renewalSeconds` of the control plane. */
const watchRenewalMs = 10_000;
/** A yes of the operator's service that came just before a playlist: its segments are asked for until the next one, seconds. */
const segmentGraceSeconds = 60;

export interface WatchGateOptions {
  /** Absolute path of the file. */
  readonly file: string;
  /** Asks the control plane, which asks the operator's service. */
  readonly ask: (session: SessionInfo) => Promise<PlayWord>;
  /** Tells the control plane of a viewer whom it need not be asked about. */
  readonly tell: (session: SessionInfo) => void;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

interface Watched {
  readonly session: SessionInfo;
  /** When it is to be looked at again, milliseconds since 1970; infinite: when the rules change. */
  untilMs: number;
}

export class WatchGate {
  readonly #options: WatchGateOptions;
  readonly #now: () => number;
  readonly #file: WatchRightsFile;
  readonly #words: WatchWords;
  /** Who was let in, from then on until it leaves: WebRTC takes its time until it plays. Of HLS each request is judged. */
  readonly #watched = new Map<string, Watched>();
  #renewing: NodeJS.Timeout | undefined;
  #renewedAtMs = 0;
  #engine: Pick<Engine, 'kick'> | undefined;

  constructor(options: WatchGateOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const { file, log } = options;
    this.#file = new WatchRightsFile({ file, log, onChange: (isRead) => this.#onChange(isRead) });
    this.#words = new WatchWords({ ask: options.ask, now: this.#now });
  }

  /** Begins to watch the file and who plays; the first look is done when this resolves. */
  async start(engine: Pick<Engine, 'kick'>): Promise<void> {
    this.#engine = engine;
    await this.#file.start();
    const { log } = this.#options;
    this.#renewing = setInterval(() => {
      try {
        this.renew();
      } catch (error) {
        log.error({ err: error }, 'rights to watch not looked at');
      }
    }, watchRenewalMs).unref();
  }

  /** Whether players shall report how streams play. */
  get wantsReports(): boolean {
    return this.#file.wantsReports;
  }

  close(): void {
    this.#file.close();
    clearInterval(this.#renewing);
  }

  /** The host's answers, with the right to watch before them. */
  guard<Ports extends EnginePorts>(ports: Ports): Ports {
    return {
      ...ports,
      authorizePlay: (session: SessionInfo) => this.#admit(ports, session),
      reviewPlay: (request: PlayRequest) => this.#review(request),
      onStop: (session: SessionInfo) => {
        this.#watched.delete(session.clientId);
        // Nothing is left to do for a control plane that was told how many came.
        if (!this.#file.isWholeVerdict) ports.onStop(session);
      },
    };
  }

  /**
   * Who may watch, as far as memory tells: everybody, the one who came with that query, or not even that one. Where the operator's own
   * service decides, a word of it that is known counts.
   */
  mayWatch(request: WatchRequest): 'everybody' | 'yes' | 'no' {
    const judgement = this.#judge(request);
    if (judgement.kind === 'open') return 'everybody';
    if (judgement.kind !== 'ask') return judgement.kind === 'granted' ? 'yes' : 'no';
    const word = this.#words.known(request);
    return word && holdsAt(word, this.#now()) && word.verdict.allowed ? 'yes' : 'no';
  }

  /** Looks at the file now. */
  reload(): Promise<void> {
    return this.#file.look();
  }

  async #admit(ports: EnginePorts, session: SessionInfo): Promise<Verdict> {
    // Who was refused a moment ago by a change of the rules must not get in because nobody has looked yet.
    if (this.#file.isWholeVerdict) await this.#file.look();
    const rights = this.#file.rights;
    const judgement = this.#judge(session);
    const verdict = judgement.kind === 'ask' ? await this.#wordOf(session) : toVerdict(judgement);
    if (!verdict.allowed) return verdict;
    // The word of the operator's service came by the control plane, which knows of the viewer then.
    const further = judgement.kind === 'ask' ? verdict : await this.#hear(ports, session);
    if (!further.allowed) return further;
    // Rules that changed while others were asked have been held against those who were in, and not against this one.
    if (rights !== this.#file.rights) return this.#admit(ports, session);
    this.#watch(session, judgement);
    return verdict;
  }

  /** What the host says beside the rules; a control plane whose rules are all there is only told. */
  #hear(ports: EnginePorts, session: SessionInfo): Verdict | Promise<Verdict> {
    if (!this.#file.isWholeVerdict) return ports.authorizePlay(session);
    // Renditions are parts of a stream, counted nowhere.
    if (!parseRenditionName(session.stream)) this.#options.tell(session);
    return { allowed: true };
  }

  /** The rules may be others: they are held against those who are in, and the service is asked anew. */
  #onChange(isRead: boolean): void {
    if (isRead) this.#words.clear();
    for (const { session } of this.#watched.values()) this.#lookAgain(session);
  }

  /** Ends whose right has ended; whoever the operator's service decided about is asked about again. */
  renew(): void {
    const now = this.#now();
    const isSetBack = now < this.#renewedAtMs;
    this.#renewedAtMs = now;
    for (const { session, untilMs } of this.#watched.values()) {
      if (untilMs <= now || isSetBack) this.#lookAgain(session);
    }
  }

  /** Judges a request for a playlist of several streams, as `reviewPlay` does one of a single stream. */
  review(request: PlayRequest): Verdict | Promise<Verdict> {
    return this.#review(request);
  }

  /** From memory, but for a viewer whom the operator's service has yet to say something about. */
  #review(request: PlayRequest): Verdict | Promise<Verdict> {
    const judgement = this.#judge(request);
    if (judgement.kind !== 'ask') return toVerdict(judgement);
    // A segment has what its playlist gave it.
    if (request.isSegment) return askedWithout;
    return this.#reviewByWord(request);
  }

  async #reviewByWord(request: PlayRequest): Promise<Verdict> {
    const rights = this.#file.rights;
    const { isSegment: _, ...session } = request;
    const verdict = await this.#wordOf(session);
    // Rules that changed while the service was asked hold for what it said too.
    return rights === this.#file.rights ? verdict : this.#review(request);
  }

  #judge(request: Pick<SessionInfo, 'app' | 'stream' | 'ip' | 'param'>, isRunning = false): Judgement {
    return this.#file.rights?.judge(ofSource(request), this.#now(), isRunning) ?? { kind: 'unreadable' };
  }

  #watch(session: SessionInfo, judgement: Judgement): void {
    // HLS is judged request by request.
    if (session.type === 'hls-play') return;
    this.#watched.set(session.clientId, { session, untilMs: this.#endOf(session, judgement) });
  }

  #endOf(session: SessionInfo, judgement: Judgement): number {
    if (judgement.kind === 'granted' && judgement.expires !== undefined) return judgement.expires * 1000;
    if (judgement.kind !== 'ask') return Number.POSITIVE_INFINITY;
    return this.#words.known(ofSource(session))?.untilMs ?? this.#now();
  }

  #lookAgain(session: SessionInfo): void {
    const judgement = this.#judge(session, true);
    if (judgement.kind === 'refused') this.#end(session, judgement.detail);
    else if (judgement.kind === 'ask') this.#askAgain(session, judgement);
    else this.#watch(session, judgement);
  }

  /** While nobody can be asked, who plays goes on. */
  #askAgain(session: SessionInfo, judgement: Judgement): void {
    this.#wordOf(session)
      .then((verdict) => {
        if (verdict.allowed || verdict.reason === 'control-plane-away') this.#rewatch(session, judgement);
        else this.#end(session, verdict.detail);
      })
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'a viewer was not asked about again'));
  }

  /** Unless it has left meanwhile. */
  #rewatch(session: SessionInfo, judgement: Judgement): void {
    if (this.#watched.has(session.clientId)) this.#watch(session, judgement);
  }

  /** Who does not play yet cannot be ended: it is looked at again, until it can be or has left. */
  #end(session: SessionInfo, detail: string): void {
    const { clientId, app, stream, ip } = session;
    const watched = this.#watched.get(clientId);
    if (!watched) return;
    watched.untilMs = this.#now();
    if (!this.#engine?.kick(clientId)) return;
    this.#watched.delete(clientId);
    this.#options.log.info({ clientId, app, stream, ip, detail }, 'right to watch ended');
  }

  async #wordOf(asking: AskingViewer): Promise<Verdict> {
    const session = ofSource(asking);
    const word = await this.#words.of(session);
    return word.verdict.allowed ? this.#withPass(session, word) : word.verdict;
  }

  /** What a playlist names is asked for with a word of ours instead of a question for each segment. */
  #withPass(name: { app: string; stream: string }, { untilMs }: WatchWord): Verdict {
    const rights = this.#file.rights;
    if (rights?.ruleOf(name)?.mode !== 'verdict') return { allowed: true };
    const expires = Math.ceil(untilMs / 1000) + segmentGraceSeconds;
    return { allowed: true, carry: watchQuery(rights.issue('verdict', name, expires)) };
  }
}

type Judgement = WatchJudgement | { readonly kind: 'unreadable' };

const unreadable: Verdict = {
  allowed: false,
  reason: 'control-plane-away',
  detail: 'the rules of who may watch cannot be read: the log of the server says why',
};
const askedWithout: Verdict = {
  allowed: false,
  reason: 'link-wrong',
  detail: 'this segment was asked for without what its playlist gave: ask for the playlist again',
};

/** The right to watch a stream is that to watch its renditions. */
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
