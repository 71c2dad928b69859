// What the media server reports or asks when publishers and players come and go. A thrown AppError turns the peer away.
import { AppError, isValidAppName, isValidStreamName, type StreamEvent } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { Callbacks } from '../callbacks/callbacks.ts';
import type { ActiveStreams } from './active-streams.ts';
import type { Drain } from './drain.ts';
import type { PublishSecret } from './publish-secret.ts';
import type { StreamCounters } from './stream-counters.ts';
import type { UsageLimitService } from './usage-limit.ts';

export interface StreamEvents {
  handle(event: StreamEvent): Promise<void>;
}

export interface StreamEventsDeps {
  readonly publishSecret: PublishSecret;
  readonly activeStreams: ActiveStreams;
  readonly counters: StreamCounters;
  readonly callbacks: Pick<Callbacks, 'askPublish' | 'notify'>;
  readonly drain: Pick<Drain, 'requirePublishing'>;
  readonly usageLimit: Pick<UsageLimitService, 'requireHoursLeft' | 'onUnpublish'>;
  /** Told of everyone who is turned away. */
  readonly refusedPublishers: { note(event: StreamEvent, error: unknown): void };
  readonly log: Log;
}

export function createStreamEvents(deps: StreamEventsDeps): StreamEvents {
  const { publishSecret, activeStreams, counters, callbacks, drain, usageLimit, refusedPublishers, log } = deps;

  /** A table that cannot be written (disk full) stops no broadcast: the next report of the media server corrects it. */
  const track = (event: StreamEvent, change: Promise<void>) =>
    change.catch((error) => {
      log.error({ err: error, action: event.action, app: event.app, stream: event.stream }, 'active stream not stored');
    });

  const refusalOf = (event: StreamEvent): AppError | undefined => {
    if (!isValidAppName(event.app) || !isValidStreamName(event.stream)) return new AppError('streamNameInvalid');
    return publishSecret.admits(event) ? undefined : new AppError('publishSecretWrong');
  };

  const onPublish = async (event: StreamEvent) => {
    const refusal = refusalOf(event);
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
      if (action === 'on_publish') {
        await onPublish(event).catch((error: unknown) => {
          refusedPublishers.note(event, error);
          throw error;
        });
      } else if (action === 'on_unpublish') await onUnpublish(event);
      else if (action === 'on_play') counters.count('play');
    },
  };
}
