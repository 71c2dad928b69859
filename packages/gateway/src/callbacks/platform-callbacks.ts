// The engine's ports answered by the control plane: verdicts are asked, ends and segments are told. Publishing is refused
// when nobody can be asked, playing is not (architecture: streams and viewers go on while the control plane is away).

import { isValidAppName, isValidStreamName } from '@srs-stack/contract/stream-name.ts';
import {
  type EngineLogger,
  type EnginePorts,
  type HlsSegmentEvent,
  type SessionInfo,
  type StreamKey,
  toStreamUrl,
  type Verdict,
} from '@srs-stack/engine';
import { type CallbackBody, type ServerIdentity, segmentBody, sessionBody } from './callback-body.ts';
import type { CallbackClient } from './callback-client.ts';
import { noticeTimeoutMs, playBypassMs, playVerdictTimeoutMs, publishVerdictTimeoutMs } from './callback-limits.ts';
import { type CallbackOutcome, toVerdict, watchSecondsOf } from './callback-verdict.ts';
import { NoticeQueue } from './notice-queue.ts';

const verifyPath = '/terraform/v1/hooks/srs/verify';
const segmentPath = '/terraform/v1/hooks/srs/hls';

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
  /** Notices not delivered yet. */
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

export function createPlatformCallbacks({
  client,
  slowClient,
  identity,
  log,
}: PlatformCallbacksOptions): PlatformCallbacks {
  const presence = createPresenceLog(log);
  const ask = async (path: string, body: CallbackBody, timeoutMs: number): Promise<CallbackOutcome> => {
    const outcome = await client.post(path, body, timeoutMs);
    presence(outcome);
    return outcome;
  };
  const queue = new NoticeQueue<Notice>(async ({ path, body }) => {
    const outcome = await ask(path, body, noticeTimeoutMs);
    if (outcome.kind === 'answer' && outcome.status >= 400 && outcome.status !== 503) {
      log.warn({ action: body.action, stream: body.stream, status: outcome.status }, 'callback was not accepted');
    }
    return outcome.kind === 'answer' && outcome.status !== 503;
  });
  const tell = (key: StreamKey, path: string, body: CallbackBody): void => queue.push(toStreamUrl(key), { path, body });
  let playBypassUntil = 0;

  return {
    log,
    isValidStream: isValidStreamKey,

    async authorizePublish(session: SessionInfo): Promise<Verdict> {
      await queue.flush(toStreamUrl(session));
      return toVerdict(await ask(verifyPath, sessionBody(identity, 'on_publish', session), publishVerdictTimeoutMs));
    },

    async authorizePlay(session: SessionInfo): Promise<Verdict> {
      if (performance.now() < playBypassUntil) return { allowed: true };
      const outcome = await ask(verifyPath, sessionBody(identity, 'on_play', session), playVerdictTimeoutMs);
      if (outcome.kind === 'away') playBypassUntil = performance.now() + (outcome.timedOut ? playBypassMs : 0);
      const verdict = toVerdict(outcome);
      return !verdict.allowed && verdict.reason === 'control-plane-away' ? { allowed: true } : verdict;
    },

    askAboutPlay: (session) => askSlowly(slowClient, sessionBody(identity, 'on_play', session), presence),
    onUnpublish: (session) => tell(session, verifyPath, sessionBody(identity, 'on_unpublish', session)),
    onStop: (session) => tell(session, verifyPath, sessionBody(identity, 'on_stop', session)),
    onHlsSegment: (event: HlsSegmentEvent) => tell(event, segmentPath, segmentBody(identity, process.cwd(), event)),

    waiting: () => queue.size,
    async close(timeoutMs) {
      await queue.close(timeoutMs);
      if (queue.dropped > 0) log.warn({ dropped: queue.dropped }, 'callbacks were dropped');
      client.close();
      slowClient.close();
    },
  };
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

/** The product's one grammar; a virtual host follows the rule of stream names. */
function isValidStreamKey({ vhost, app, stream }: StreamKey): boolean {
  return isValidStreamName(vhost) && isValidAppName(app) && isValidStreamName(stream);
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
