// The engine's ports answered by the control plane: verdicts are asked, ends and segments are told. Publishing is refused
// when nobody can be asked, playing is not (architecture: streams and viewers go on while the control plane is away).

import { parseRenditionName } from '@srs-stack/contract/rendition-name.ts';
import { isValidAppName, isValidStreamName } from '@srs-stack/contract/stream-name.ts';
import type { Multivariant } from '@srs-stack/contract/wire/multivariant.ts';
import {
  type EngineLogger,
  type EnginePorts,
  type HlsSegmentEvent,
  type SessionInfo,
  type StreamKey,
  toStreamUrl,
  type Verdict,
} from '@srs-stack/engine';
import {
  type CallbackBody,
  type ServerIdentity,
  segmentBody,
  sessionBody,
  type VariantsQuestion,
} from './callback-body.ts';
import type { CallbackClient } from './callback-client.ts';
import { noticeTimeoutMs, playBypassMs, playVerdictTimeoutMs, publishVerdictTimeoutMs } from './callback-limits.ts';
import { type CallbackOutcome, toVerdict, watchSecondsOf } from './callback-verdict.ts';
import { NoticeQueue } from './notice-queue.ts';
import { PlayReports } from './play-reports.ts';
import { parseVariants } from './variants-answer.ts';

const verifyPath = '/terraform/v1/hooks/srs/verify';
const segmentPath = '/terraform/v1/hooks/srs/hls';
const variantsPath = '/terraform/v1/hooks/srs/variants';

type Question = CallbackBody | VariantsQuestion;

interface Notice {
  readonly path: string;
  readonly body: CallbackBody;
}

/** What the operator's service says about a viewer, and for how long. */
export interface PlayWord {
  readonly verdict: Verdict;
  readonly seconds: number;
}

export interface PlatformCallbacks extends EnginePorts {
  /** Asks where the operator's service decides. Never lets anybody in because nobody answered. Never rejects. */
  askAboutPlay(session: SessionInfo): Promise<PlayWord>;
  /** A viewer was let in whom the control plane need not be asked about; it is told how many they are. */
  tellOfPlay(session: SessionInfo): void;
  /** What a stream is to be had as; undefined while nobody can be asked. A peek begins nothing. Never rejects. */
  askVariants(key: StreamKey, isPeek: boolean): Promise<Multivariant | undefined>;
  /** Notices not delivered yet, and viewers not told of yet. */
  waiting(): number;
  /** Delivers what waits, for at most `timeoutMs`, and closes the connections. */
  close(timeoutMs: number): Promise<void>;
}

export interface PlatformCallbacksOptions {
  readonly client: CallbackClient;
  /** Connections of their own for questions that the operator's service answers slowly: they keep no publisher waiting. */
  readonly slowClient: CallbackClient;
  readonly identity: ServerIdentity;
  readonly log: EngineLogger;
}

export function createPlatformCallbacks(options: PlatformCallbacksOptions): PlatformCallbacks {
  const { client, slowClient, identity, log } = options;
  const presence = createPresenceLog(log);
  const ask = createQuestion(client, presence);
  const deliver = async (notice: Notice): Promise<boolean> =>
    isDelivered(notice, await ask(notice.path, notice.body, noticeTimeoutMs), log);
  const queue = new NoticeQueue<Notice>(deliver);
  const plays = new PlayReports((newest, count) =>
    deliver({ path: verifyPath, body: { ...sessionBody(identity, 'on_play', newest), plays: count } }),
  );
  const tell = (key: StreamKey, path: string, body: CallbackBody): void => queue.push(toStreamUrl(key), { path, body });

  return {
    log,
    isValidStream: isValidStreamKey,
    renditionOf: ({ stream }) => parseRenditionName(stream)?.stream,

    async authorizePublish(session: SessionInfo): Promise<Verdict> {
      await queue.flush(toStreamUrl(session));
      const outcome = await ask(verifyPath, sessionBody(identity, 'on_publish', session), publishVerdictTimeoutMs);
      return withClockOf(session, toVerdict(outcome));
    },

    authorizePlay: createPlayQuestion((session) =>
      ask(verifyPath, sessionBody(identity, 'on_play', session), playVerdictTimeoutMs),
    ),

    askVariants: async ({ vhost, app, stream }, isPeek) =>
      toVariants(await ask(variantsPath, { vhost, app, stream, isPeek }, publishVerdictTimeoutMs)),
    askAboutPlay: (session) => askSlowly(slowClient, sessionBody(identity, 'on_play', session), presence),
    tellOfPlay: (session) => plays.add(session),
    onUnpublish: (session) => tell(session, verifyPath, sessionBody(identity, 'on_unpublish', session)),
    onStop: (session) => tell(session, verifyPath, sessionBody(identity, 'on_stop', session)),
    onHlsSegment: (event: HlsSegmentEvent) => tell(event, segmentPath, segmentBody(identity, process.cwd(), event)),

    waiting: () => queue.size + plays.waiting,
    async close(timeoutMs) {
      await Promise.all([queue.close(timeoutMs), plays.close(timeoutMs)]);
      if (queue.dropped > 0) log.warn({ dropped: queue.dropped }, 'callbacks were dropped');
      client.close();
      slowClient.close();
    },
  };
}

function createQuestion(client: CallbackClient, presence: (outcome: CallbackOutcome) => void) {
  return async (path: string, body: Question, timeoutMs: number): Promise<CallbackOutcome> => {
    const outcome = await client.post(path, body, timeoutMs);
    presence(outcome);
    return outcome;
  };
}

/** Lets viewers in while nobody answers, and does not ask again for a while when an answer took too long. */
function createPlayQuestion(
  ask: (session: SessionInfo) => Promise<CallbackOutcome>,
): (session: SessionInfo) => Promise<Verdict> {
  let bypassUntil = 0;
  return async (session) => {
    if (performance.now() < bypassUntil) return { allowed: true };
    const outcome = await ask(session);
    if (outcome.kind === 'away') bypassUntil = performance.now() + (outcome.timedOut ? playBypassMs : 0);
    const verdict = toVerdict(outcome);
    return !verdict.allowed && verdict.reason === 'control-plane-away' ? { allowed: true } : verdict;
  };
}

/** False asks for another try: a refusal is an answer too, and is told. */
function isDelivered({ body }: Notice, outcome: CallbackOutcome, log: EngineLogger): boolean {
  if (outcome.kind === 'answer' && outcome.status >= 400 && outcome.status !== 503) {
    log.warn({ action: body.action, stream: body.stream, status: outcome.status }, 'callback was not accepted');
  }
  return outcome.kind === 'answer' && outcome.status !== 503;
}

/** The renditions of a stream stay on its clock, so that players change between them without a gap. */
function withClockOf({ stream }: SessionInfo, verdict: Verdict): Verdict {
  return verdict.allowed && parseRenditionName(stream) ? { ...verdict, keepsClock: true } : verdict;
}

function toVariants(outcome: CallbackOutcome): Multivariant | undefined {
  return outcome.kind === 'answer' && outcome.status === 200 ? parseVariants(outcome.body) : undefined;
}

/** A question that the operator's own service answers: as slowly as it may, and never yes because nobody answered. */
async function askSlowly(
  client: CallbackClient,
  body: CallbackBody,
  presence: (outcome: CallbackOutcome) => void,
): Promise<PlayWord> {
  const outcome = await client.post(verifyPath, body, publishVerdictTimeoutMs);
  presence(outcome);
  return { verdict: toVerdict(outcome), seconds: watchSecondsOf(outcome) };
}

/** The product's one grammar; a virtual host follows the rule of stream names. Who may publish a rendition's name, the control plane says. */
function isValidStreamKey({ vhost, app, stream }: StreamKey): boolean {
  const isName = isValidStreamName(stream) || parseRenditionName(stream) !== undefined;
  return isValidStreamName(vhost) && isValidAppName(app) && isName;
}

/** One line when the control plane goes away and one when it is back, not one per callback. */
function createPresenceLog(log: EngineLogger): (outcome: CallbackOutcome) => void {
  let isAway = false;
  return (outcome) => {
    if (outcome.kind === 'away' && !isAway) log.warn({ detail: outcome.detail }, 'control plane is away');
    if (outcome.kind === 'answer' && isAway) log.info({}, 'control plane is back');
    isAway = outcome.kind === 'away';
  };
}
