// Implements the engine's ports with callbacks to the control plane. The control plane authorizes publishers and viewers, and receives
// notices about ends and segments. While the control plane is unavailable, new publishers are refused. Viewers are admitted, unless their
// access rule requires a verdict of the operator's service.

import { paths } from '@srs-stack/contract/paths.ts';
import { parseRenditionName } from '@srs-stack/contract/rendition-name.ts';
import { isValidAppName, isValidStreamName } from '@srs-stack/contract/stream-name.ts';
import type { Multivariant } from '@srs-stack/contract/wire/multivariant.ts';
import type { EngineLogger, EnginePorts, HlsSegmentEvent, SessionInfo, StreamKey, Verdict } from '@srs-stack/engine';
import { type CallbackBody, type ServerIdentity, segmentBody, sessionBody } from './callback-body.ts';
import type { CallbackClient } from './callback-client.ts';
import { playBypassMs, playVerdictTimeoutMs, publishVerdictTimeoutMs } from './callback-limits.ts';
import { type CallbackOutcome, toVerdict, watchSecondsOf } from './callback-verdict.ts';
import { Notices, type SendCallback } from './notices.ts';
import { PlayReports } from './play-reports.ts';
import { parseVariants } from './variants-response.ts';

/** The verdict of the operator's service about a viewer. `seconds`: validity of the verdict. */
export interface PlayVerdict {
  readonly verdict: Verdict;
  readonly seconds: number;
}

export interface PlatformCallbacks extends EnginePorts {
  /** Requests a verdict of the operator's service. Refuses the viewer when there is no response. Never rejects. */
  queryPlay(session: SessionInfo): Promise<PlayVerdict>;
  /** Counts a viewer that was admitted without a callback. The number is reported to the control plane. */
  countPlay(session: SessionInfo): void;
  /**
   * Renditions of a stream; undefined without a valid response of the control plane. With `isPeek`, an on-demand ladder is not started.
   * Never rejects.
   */
  queryVariants(key: StreamKey, isPeek: boolean): Promise<Multivariant | undefined>;
  /** Number of undelivered notices and unreported viewers. */
  waiting(): number;
  /** Delivers queued notices for at most `timeoutMs`, then closes the connections. */
  close(timeoutMs: number): Promise<void>;
}

export interface PlatformCallbacksOptions {
  readonly client: CallbackClient;
  /** Separate connections for viewers that need a verdict of the operator's service, so that slow requests do not delay publishers. */
  readonly slowClient: CallbackClient;
  readonly identity: ServerIdentity;
  readonly log: EngineLogger;
}

export function createPlatformCallbacks(options: PlatformCallbacksOptions): PlatformCallbacks {
  const { client, slowClient, identity, log } = options;
  const presence = createPresenceLog(log);
  const send = createSender(client, presence);
  const notices = new Notices(send, log);
  const plays = new PlayReports((newest, count) =>
    notices.deliver({ ...sessionBody(identity, 'on_play', newest), plays: count }),
  );

  return {
    log,
    isValidStream: isValidStreamKey,
    renditionOf: ({ stream }) => parseRenditionName(stream)?.stream,

    async authorizePublish(session: SessionInfo): Promise<Verdict> {
      await notices.flush(session);
      const outcome = await send(
        paths.verifyStream.path,
        sessionBody(identity, 'on_publish', session),
        publishVerdictTimeoutMs,
      );
      return withClockOf(session, toVerdict(outcome));
    },

    authorizePlay: createPlayAuthorization((session) =>
      send(paths.verifyStream.path, sessionBody(identity, 'on_play', session), playVerdictTimeoutMs),
    ),

    queryVariants: async ({ vhost, app, stream }, isPeek) =>
      toVariants(await send(paths.queryVariants.path, { vhost, app, stream, isPeek }, publishVerdictTimeoutMs)),
    queryPlay: (session) => queryOperatorService(slowClient, sessionBody(identity, 'on_play', session), presence),
    countPlay: (session) => plays.add(session),
    onUnpublish: (session) => notices.add(session, sessionBody(identity, 'on_unpublish', session)),
    onStop: (session) => notices.add(session, sessionBody(identity, 'on_stop', session)),
    onHlsSegment: (event: HlsSegmentEvent) => notices.add(event, segmentBody(identity, process.cwd(), event)),

    waiting: () => notices.size + plays.waiting,
    async close(timeoutMs) {
      await Promise.all([notices.close(timeoutMs), plays.close(timeoutMs)]);
      client.close();
      slowClient.close();
    },
  };
}

function createSender(client: CallbackClient, presence: (outcome: CallbackOutcome) => void): SendCallback {
  return async (path, body, timeoutMs) => {
    const outcome = await client.post(path, body, timeoutMs);
    presence(outcome);
    return outcome;
  };
}

/**
 * Authorizes viewers. While the control plane is unavailable, viewers are admitted. After a timeout, viewers are admitted without a
 * callback for some seconds.
 */
function createPlayAuthorization(
  send: (session: SessionInfo) => Promise<CallbackOutcome>,
): (session: SessionInfo) => Promise<Verdict> {
  let bypassUntil = 0;
  return async (session) => {
    if (performance.now() < bypassUntil) return { allowed: true };
    const outcome = await send(session);
    if (outcome.kind === 'away') bypassUntil = performance.now() + (outcome.timedOut ? playBypassMs : 0);
    const verdict = toVerdict(outcome);
    return !verdict.allowed && verdict.reason === 'control-plane-away' ? { allowed: true } : verdict;
  };
}

/** Renditions keep the timestamps of the source, so that players can switch between renditions without a gap. */
function withClockOf({ stream }: SessionInfo, verdict: Verdict): Verdict {
  return verdict.allowed && parseRenditionName(stream) ? { ...verdict, keepsClock: true } : verdict;
}

function toVariants(outcome: CallbackOutcome): Multivariant | undefined {
  return outcome.kind === 'answer' && outcome.status === 200 ? parseVariants(outcome.body) : undefined;
}

/** Requests a verdict of the operator's service, with a longer timeout. Without a response, the viewer is refused. */
async function queryOperatorService(
  client: CallbackClient,
  body: CallbackBody,
  presence: (outcome: CallbackOutcome) => void,
): Promise<PlayVerdict> {
  const outcome = await client.post(paths.verifyStream.path, body, publishVerdictTimeoutMs);
  presence(outcome);
  return { verdict: toVerdict(outcome), seconds: watchSecondsOf(outcome) };
}

/**
 * Checks names against the naming rules of the product; a vhost follows the rule for streams. Also accepts names of renditions: the control
 * plane decides who may publish a rendition.
 */
function isValidStreamKey({ vhost, app, stream }: StreamKey): boolean {
  const isName = isValidStreamName(stream) || parseRenditionName(stream) !== undefined;
  return isValidStreamName(vhost) && isValidAppName(app) && isName;
}

/** Logs only changes: when the control plane becomes unavailable, and when the control plane is available again. */
function createPresenceLog(log: EngineLogger): (outcome: CallbackOutcome) => void {
  let isAway = false;
  return (outcome) => {
    if (outcome.kind === 'away' && !isAway) log.warn({ detail: outcome.detail }, 'control plane is unavailable');
    if (outcome.kind === 'answer' && isAway) log.info({}, 'control plane is available again');
    isAway = outcome.kind === 'away';
  };
}
