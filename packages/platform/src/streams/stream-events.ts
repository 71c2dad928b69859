// Handles events of the media server: publishers and players connect and disconnect. An AppError refuses the client.
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
import { withProvenSecret } from './digest-secret.ts';
import type { Drain } from './drain.ts';
import type { LiveRooms } from './live-rooms.ts';
import type { PublishSecret } from './publish-secret.ts';
import type { RenditionAccess } from './rendition-access.ts';
import type { RoomVerdict } from './room-rules.ts';
import type { StreamCounters } from './stream-counters.ts';
import type { StreamKeys, StreamKeyVerdict } from './stream-keys.ts';
import type { UsageLimitService } from './usage-limit.ts';

export interface StreamEvents {
  /** Resolves with the validity of an authorization by the operator's service, seconds. Undefined if the service did not decide. */
  handle(event: StreamEvent): Promise<number | undefined>;
}

export interface StreamEventsDeps {
  readonly publishSecret: PublishSecret;
  readonly streamKeys: Pick<StreamKeys, 'judge' | 'secretsFor'>;
  readonly liveRooms: Pick<LiveRooms, 'judge' | 'secretFor'>;
  readonly activeStreams: ActiveStreams;
  readonly counters: StreamCounters;
  readonly renditionAccess: Pick<RenditionAccess, 'isRendition' | 'admits'>;
  readonly watching: Pick<Watching, 'admit'>;
  readonly callbacks: Pick<Callbacks, 'askPublish' | 'notify'>;
  readonly drain: Pick<Drain, 'requirePublishing'>;
  readonly usageLimit: Pick<UsageLimitService, 'requireHoursLeft' | 'onUnpublish'>;
  readonly refusedPublishers: { note(event: StreamEvent, error: unknown): void };
  readonly log: Log;
}

export function createStreamEvents(deps: StreamEventsDeps): StreamEvents {
  const { activeStreams, counters, callbacks, drain, usageLimit, refusedPublishers, log } = deps;

  /**
   * Updates the table of active streams. A failed write (full disk) does not interrupt a broadcast: the media server's next report corrects
   * the table.
   */
  const track = (event: StreamEvent, change: Promise<void>) =>
    change.catch((error) => {
      log.error(
        { err: error, action: event.action, app: event.app, stream: event.stream },
        'change of an active stream could not be stored',
      );
    });

  const onPublish = async (sent: StreamEvent) => {
    const event = await withProvenSecret(sent, deps);
    const room = deps.liveRooms.judge(event);
    const refusal = await refusalOf(event, deps);
    if (refusal) {
      const { app, stream, ip, client_id } = event;
      log.warn({ app, stream, ip, client_id, reason: refusal.errorName }, 'publish refused');
      throw refusal;
    }
    // Checked after the secret: without the secret, a client must not learn the state of this server.
    drain.requirePublishing();
    await usageLimit.requireHoursLeft();
    await callbacks.askPublish({ ...event, action: 'on_publish' });
    // A spare encoder is not the publisher: the row of the stream keeps the current publisher, and the publish is not counted.
    const isSpare = event.priority !== undefined;
    await track(event, isSpare ? activeStreams.onSpare(event) : activeStreams.onPublish(event));
    // The room was removed, or its secret replaced, before this publisher was in the table. The change could therefore not disconnect the
    // publisher.
    if (room === 'admitted' && deps.liveRooms.judge(event) !== 'admitted') {
      if (!isSpare) await track(event, activeStreams.onUnpublish(event));
      throw new AppError('publishSecretWrong');
    }
    if (!isSpare) counters.count('publish');
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
      if (deps.renditionAccess.isRendition(event)) return onRendition(event, deps);
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

/** A rendition belongs to another stream: renditions are not reported or counted, and use the access rules of that stream. */
async function onRendition(
  event: StreamEvent,
  {
    renditionAccess,
    watching,
    refusedPublishers,
  }: Pick<StreamEventsDeps, 'renditionAccess' | 'watching' | 'refusedPublishers'>,
): Promise<number | undefined> {
  if (event.action === 'on_play') return watching.admit({ ...event, stream: sourceNameOf(event.stream) });
  if (event.action !== 'on_publish' || (isValidAppName(event.app) && renditionAccess.admits(event))) return undefined;
  const refusal = new AppError('streamNameInvalid');
  refusedPublishers.note(event, refusal);
  throw refusal;
}

const keyDetails: Readonly<Record<Exclude<StreamKeyVerdict, 'admitted'>, RefusalDetail | undefined>> = {
  unknown: undefined,
  expired: verbatim('this stream key has expired'),
  'other-stream': verbatim('this stream key is for other streams'),
};

const roomDetails: Readonly<Record<Exclude<RoomVerdict, 'admitted' | 'no-room'>, RefusalDetail>> = {
  'secret-needed': verbatim('this is the stream of a live room: publish with the secret of the room or an invitation'),
  'invitation-closed': verbatim('this invitation was revoked or is for another live room: ask for a new invitation'),
  expired: verbatim('this invitation has expired: ask for a new invitation'),
  'not-begun': verbatim('the live room has not started yet: try again at its start time'),
};

/**
 * Undefined if the publisher sends the publish secret, a stream key for this stream, or what the live room requires. Also undefined if
 * authentication is off, except for live rooms.
 */
async function refusalOf(
  event: StreamEvent,
  { publishSecret, streamKeys, liveRooms }: Pick<StreamEventsDeps, 'publishSecret' | 'streamKeys' | 'liveRooms'>,
): Promise<AppError | undefined> {
  if (!isValidAppName(event.app) || !isValidStreamName(event.stream)) return new AppError('streamNameInvalid');
  // Called first, also for rooms: throws if the store has been unavailable for too long.
  const isAdmitted = publishSecret.admits(event);
  const room = liveRooms.judge(event);
  if (room === 'admitted') return undefined;
  if (room !== 'no-room') return new AppError('publishSecretWrong', roomDetails[room]);
  if (isAdmitted) return undefined;
  const verdict = await streamKeys.judge(event);
  return verdict === 'admitted' ? undefined : new AppError('publishSecretWrong', keyDetails[verdict]);
}

async function onPlay(event: StreamEvent, { watching, counters }: Pick<StreamEventsDeps, 'watching' | 'counters'>) {
  // An event with `plays` reports viewers that the gateway has already authorized by the access rules.
  const seconds = event.plays === undefined ? await watching.admit(event) : undefined;
  counters.count('play', event.plays);
  return seconds;
}
