// The streams of the media server: publish authorization, live streams, clients, and segments.
import { bitrateLimits } from '@srs-stack/contract/endpoints/settings/bitrate-limits.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { Callbacks } from '../callbacks/callbacks.ts';
import type { MediaServer } from '../media-server/media-server.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import { type DeclaredSetting, openDeclared } from '../store/setting.ts';
import type { Store } from '../store/store.ts';
import type { Watching } from '../watching/watching.ts';
import { takeStillImage } from '../workers/still-image.ts';
import { type ActiveStreams, createActiveStreams } from './active-streams.ts';
import { type Drain, openDrain } from './drain.ts';
import { createHlsSegments, type HlsSegments } from './hls-segments.ts';
import { createLiveClients, type LiveClients } from './live-clients.ts';
import { type LiveRooms, openLiveRooms } from './live-rooms.ts';
import { createLiveView, type LiveView, type LiveViewDeps } from './live-view.ts';
import { openPublishSecret, type PublishSecret } from './publish-secret.ts';
import { createRefusedPublishers } from './refused-publishers.ts';
import { RenditionAccess } from './rendition-access.ts';
import { openStreamCounters, type StreamCounters } from './stream-counters.ts';
import { createStreamEvents, type StreamEvents } from './stream-events.ts';
import { createStreamImages, type StreamImages } from './stream-images.ts';
import { StreamKeys } from './stream-keys.ts';
import { openUsageLimit, type UsageLimitService } from './usage-limit.ts';

type BitrateLimits = typeof bitrateLimits.document.empty;

export interface Streams {
  readonly publishSecret: PublishSecret;
  readonly streamKeys: StreamKeys;
  readonly liveRooms: LiveRooms;
  readonly active: ActiveStreams;
  readonly events: StreamEvents;
  readonly counters: StreamCounters;
  readonly segments: HlsSegments;
  readonly view: LiveView;
  readonly clients: LiveClients;
  readonly pictures: StreamImages;
  readonly bitrateLimits: DeclaredSetting<BitrateLimits>;
  readonly usageLimit: UsageLimitService;
  readonly renditionAccess: RenditionAccess;
  readonly drain: Drain;
}

export interface StreamsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
  readonly mediaServer: MediaServer;
  readonly ownMediaServer: MediaServer;
  readonly nodes: NodeRegistry;
  readonly callbacks: Callbacks;
  /** Absolute path of the file that keeps the drain state. */
  readonly drainFile: string;
  readonly watching: Watching;
  readonly hlsPath: string;
  readonly viewing: LiveViewDeps['viewing'];
  /** Wraps the stream events. The wrapper reports each event after it was handled or refused. */
  readonly observed: (events: StreamEvents) => StreamEvents;
}

export async function openStreams(deps: StreamsDeps): Promise<Streams> {
  const { store, audit, log, now, mediaServer, nodes, callbacks } = deps;
  const publishSecret = await openPublishSecret({ store, audit });
  const activeStreams = createActiveStreams({ store, audit, now, mediaServer, nodes });
  const streamKeys = new StreamKeys({ store, audit, log, now, activeStreams });
  const liveRooms = await openLiveRooms({ store, audit, log, now, activeStreams });
  const refusedPublishers = createRefusedPublishers(now);
  const counters = await openStreamCounters(store, log);
  const usageLimit = await openUsageLimit({ store, audit, log, now, activeStreams, mediaServer });
  const drain = await openDrain({ file: deps.drainFile, mediaServer: deps.ownMediaServer, audit, now });
  const renditionAccess = new RenditionAccess();
  const events = createStreamEvents({
    publishSecret,
    streamKeys,
    liveRooms,
    activeStreams,
    counters,
    callbacks,
    drain,
    usageLimit,
    refusedPublishers,
    renditionAccess,
    watching: deps.watching,
    log,
  });
  return {
    publishSecret,
    streamKeys,
    liveRooms,
    active: activeStreams,
    events: deps.observed(events),
    counters,
    segments: createHlsSegments(deps.hlsPath),
    view: createLiveView({ mediaServer, refusedPublishers, viewing: deps.viewing, now }),
    clients: createLiveClients({ mediaServer, audit, now }),
    pictures: createStreamImages({ mediaServer, now, takeScreenshot: takeStillImage }),
    bitrateLimits: await openDeclared(bitrateLimits, { store, audit }),
    usageLimit,
    renditionAccess,
    drain,
  };
}
