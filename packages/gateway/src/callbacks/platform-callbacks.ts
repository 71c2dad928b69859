// The engine's ports answered by the control plane: verdicts are asked, ends and segments are told. Publishing is refused
// when nobody can be asked, playing is not (architecture: streams and viewers go on while the control plane is away).

import { paths } from '@srs-stack/contract/paths.ts';
import { parseRenditionName } from '@srs-stack/contract/rendition-name.ts';
import { isValidAppName, isValidStreamName } from '@srs-stack/contract/stream-name.ts';
import type { Multivariant } from '@srs-stack/contract/wire/multivariant.ts';
import type { EngineLogger, EnginePorts, HlsSegmentEvent, SessionInfo, StreamKey, Verdict } from '@srs-stack/engine';
import { type CallbackBody, type ServerIdentity, segmentBody, sessionBody } from './callback-body.ts';
import type { CallbackClient } from './callback-client.ts';
import { playBypassMs, playVerdictTimeoutMs, publishVerdictTimeoutMs } from './callback-limits.ts';
import { type CallbackOutcome, toVerdict, watchSecondsOf } from './callback-verdict.ts';
import { type Ask, Notices } from './notices.ts';
import { PlayReports } from './play-reports.ts';
import { parseVariants } from './variants-answer.ts';

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
  const notices = new Notices(ask, log);
  const plays = new PlayReports((newest, count) =>
    notices.deliver({ ...sessionBody(identity, 'on_play', newest), plays: count }),
  );

  return {
    log,
    isValidStream: isValidStreamKey,
    renditionOf: ({ stream }) => parseRenditionName(stream)?.stream,

    async authorizePublish(session: SessionInfo): Promise<Verdict> {
      await notices.flush(session);
      const outcome = await ask(
        paths.verifyStream.path,
        sessionBody(identity, 'on_publish', session),
        publishVerdictTimeoutMs,
      );
      return withClockOf(session, toVerdict(outcome));
    },

    authorizePlay: createPlayQuestion((session) =>
      ask(paths.verifyStream.path, sessionBody(identity, 'on_play', session), playVerdictTimeoutMs),
    ),

    askVariants: async ({ vhost, app, stream }, isPeek) =>
      toVariants(await ask(paths.queryVariants.path, { vhost, app, stream, isPeek }, publishVerdictTimeoutMs)),
    askAboutPlay: (session) => askSlowly(slowClient, sessionBody(identity, 'on_play', session), presence),
    tellOfPlay: (session) => plays.add(session),
    onUnpublish: (session) => notices.tell(session, sessionBody(identity, 'on_unpublish', session)),
    onStop: (session) => notices.tell(session, sessionBody(identity, 'on_stop', session)),
    onHlsSegment: (event: HlsSegmentEvent) => notices.tell(event, segmentBody(identity, process.cwd(), event)),

    waiting: () => notices.size + plays.waiting,
    async close(timeoutMs) {
      await Promise.all([notices.close(timeoutMs), plays.close(timeoutMs)]);
      client.close();
      slowClient.close();
    },
  };
}

function createQuestion(client: CallbackClient, presence: (outcome: CallbackOutcome) => void): Ask {
  return async (path, body, timeoutMs) => {
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
  const outcome = await client.post(paths.verifyStream.path, body, publishVerdictTimeoutMs);
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
