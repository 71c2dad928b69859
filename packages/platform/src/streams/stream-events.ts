// What the media server reports or asks when publishers and players come and go. A thrown AppError turns the peer away.
import {
  AppError,
  isValidAppName,
  isValidStreamName,
  type RefusalDetail,
  type StreamEvent,
  sourceNameOf,
  verbatim,
} from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { Callbacks } from '../callbacks/callbacks.ts';
import type { Watching } from '../watching/watching.ts';
import type { ActiveStreams } from './active-streams.ts';
import type { Drain } from './drain.ts';
import type { PublishSecret } from './publish-secret.ts';
import type { RenditionDoor } from './rendition-door.ts';
import type { StreamCounters } from './stream-counters.ts';
import type { StreamKeys, StreamKeyVerdict } from './stream-keys.ts';
import type { UsageLimitService } from './usage-limit.ts';

export interface StreamEvents {
  /** Resolves with the seconds for which the operator's service lets a viewer watch; undefined when it was not asked. */
  handle(event: StreamEvent): Promise<number | undefined>;
}

export interface StreamEventsDeps {
  readonly publishSecret: PublishSecret;
  readonly streamKeys: Pick<StreamKeys, 'judge'>;
  readonly activeStreams: ActiveStreams;
  readonly counters: StreamCounters;
  /** Who may publish renditions. */
  readonly door: Pick<RenditionDoor, 'isRendition' | 'admits'>;
  /** Throws what turns a viewer away. */
  readonly watching: Pick<Watching, 'admit'>;
  readonly callbacks: Pick<Callbacks, 'askPublish' | 'notify'>;
  readonly drain: Pick<Drain, 'requirePublishing'>;
  readonly usageLimit: Pick<UsageLimitService, 'requireHoursLeft' | 'onUnpublish'>;
  /** Told of everyone who is turned away. */
  readonly refusedPublishers: { note(event: StreamEvent, error: unknown): void };
  readonly log: Log;
}

export function createStreamEvents(deps: StreamEventsDeps): StreamEvents {
  const { activeStreams, counters, callbacks, drain, usageLimit, refusedPublishers, log } = deps;

  /** A table that cannot be written (disk full) stops no broadcast: the next report of the media server corrects it. */
  const track = (event: StreamEvent, change: Promise<void>) =>
    change.catch((error) => {
      log.error({ err: error, action: event.action, app: event.app, stream: event.stream }, 'active stream not stored');
    });

  const onPublish = async (event: StreamEvent) => {
    const refusal = await refusalOf(event, deps);
    if (refusal) {
      const { app, stream, ip, client_id } = event;
      log.warn({ app, stream, ip, client_id, reason: refusal.errorName }, 'publish refused');
      throw refusal;
    }
    // After the secret: whoever does not know it learns nothing of this server.
    drain.requirePublishing();
    await usageLimit.requireHoursLeft();
    await callbacks.askPublish({ ...event, action: 'on_publish' });
    await track(event, activeStreams.onPublish(event));
    counters.count('publish');
  };

  const onUnpublish = async (event: StreamEvent) => {
    await track(event, usageLimit.onUnpublish(event));
    await track(event, activeStreams.onUnpublish(event));
    callbacks.notify({ ...event, action: 'on_unpublish' });
  };

  return {
    async handle(event) {
      const { action, app, stream, ip, client_id } = event;
      log.debug({ action, app, stream, ip, client_id }, 'stream event');
      if (deps.door.isRendition(event)) return onRendition(event, deps);
      if (action === 'on_publish') {
        await onPublish(event).catch((error: unknown) => {
          refusedPublishers.note(event, error);
          throw error;
        });
      } else if (action === 'on_unpublish') await onUnpublish(event);
      else if (action === 'on_play') return onPlay(event, deps);
      return undefined;
    },
  };
}

/** Part of another stream: told to nobody, counted nowhere, and watched by whoever may watch that stream. */
async function onRendition(
  event: StreamEvent,
  { door, watching, refusedPublishers }: Pick<StreamEventsDeps, 'door' | 'watching' | 'refusedPublishers'>,
): Promise<number | undefined> {
  if (event.action === 'on_play') return watching.admit({ ...event, stream: sourceNameOf(event.stream) });
  if (event.action !== 'on_publish' || (isValidAppName(event.app) && door.admits(event))) return undefined;
  const refusal = new AppError('streamNameInvalid');
  refusedPublishers.note(event, refusal);
  throw refusal;
}

const keyDetails: Readonly<Record<Exclude<StreamKeyVerdict, 'admitted'>, RefusalDetail | undefined>> = {
  unknown: undefined,
  expired: verbatim('this stream key has expired'),
  'other-stream': verbatim('this stream key is for other streams'),
};

/** Undefined for a publisher who knows the publish secret, or has a stream key for this stream. */
async function refusalOf(
  event: StreamEvent,
  { publishSecret, streamKeys }: Pick<StreamEventsDeps, 'publishSecret' | 'streamKeys'>,
): Promise<AppError | undefined> {
  if (!isValidAppName(event.app) || !isValidStreamName(event.stream)) return new AppError('streamNameInvalid');
  if (publishSecret.admits(event)) return undefined;
  const verdict = await streamKeys.judge(event);
  return verdict === 'admitted' ? undefined : new AppError('publishSecretWrong', keyDetails[verdict]);
}

async function onPlay(event: StreamEvent, { watching, counters }: Pick<StreamEventsDeps, 'watching' | 'counters'>) {
  // The gateway judges by the same rules, and has let them in.
  const seconds = event.plays === undefined ? await watching.admit(event) : undefined;
  counters.count('play', event.plays);
  return seconds;
}
