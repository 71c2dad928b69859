// Builds every service once; routes see this and nothing else.

import type { UpgradeRequest } from '@srs-stack/contract';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { openAdminPassword, type PasswordFile } from './access/admin-password.ts';
import { openApiSecret } from './access/api-secret.ts';
import { type Login, openLogin } from './access/login.ts';
import { openSessionEpoch } from './access/session-epoch.ts';
import { createSessions, type Sessions } from './access/sessions.ts';
import { type Callbacks, openCallbacks } from './callbacks/callbacks.ts';
import { createAcmeAuthority } from './certificates/acme/acme-authority.ts';
import { createChallengeFiles } from './certificates/acme/challenge-files.ts';
import { createDomainCheck } from './certificates/acme/domain-check.ts';
import type { CertificateFiles } from './certificates/certificate-files.ts';
import { type Certificates, createCertificates } from './certificates/certificates.ts';
import type { PlatformEnv } from './env.ts';
import { createHlsSettings, type HlsSettings, type HlsSettingsService } from './media-server/hls-settings.ts';
import type { MediaServer } from './media-server/media-server.ts';
import { withEventsOfAudit, withEventsOfStreams } from './monitor/event-sources.ts';
import type { Monitor } from './monitor/monitor.ts';
import { openMonitorEvents } from './monitor/monitor-events.ts';
import { openMonitor } from './monitor/open-monitor.ts';
import { type CloudRecording, openCloudRecording } from './recording/cloud/cloud-recording.ts';
import { createTencentCloud } from './recording/cloud/tencent/tencent-cloud.ts';
import { openRecords, type Records } from './recording/records.ts';
import { type Beian, createBeian } from './settings/beian.ts';
import { createFirstSteps } from './settings/first-steps.ts';
import { openNodeId } from './settings/node-identity.ts';
import { type Operations, openOperations } from './settings/operations.ts';
import { createSystem, type System } from './settings/system.ts';
import { createTutorialVideos, type TutorialVideos } from './settings/tutorial-videos.ts';
import { askBilibili } from './settings/video-site/ask-bilibili.ts';
import type { FrontFile } from './settings/web-front/front-file.ts';
import { type AuditTrail, createAuditTrail } from './store/audit-trail.ts';
import type { Store } from './store/store.ts';
import { type ActiveStreams, createActiveStreams } from './streams/active-streams.ts';
import { type BitrateLimits, createBitrateLimits } from './streams/bitrate-limits.ts';
import { createHlsSegments, type HlsSegments } from './streams/hls-segments.ts';
import { createLiveClients, type LiveClients } from './streams/live-clients.ts';
import { createLiveView, type LiveView } from './streams/live-view.ts';
import { openPublishSecret, type PublishSecret } from './streams/publish-secret.ts';
import { openStreamCounters, type StreamCounters } from './streams/stream-counters.ts';
import { createStreamEvents, type StreamEvents } from './streams/stream-events.ts';
import { createStreamPictures, type StreamPictures } from './streams/stream-pictures.ts';
import { openScenarios, type Scenarios } from './tasks/scenarios.ts';
import { takeStillPicture } from './workers/still-picture.ts';

export interface Services extends Scenarios, Operations {
  readonly nodeId: string;
  readonly audit: AuditTrail;
  readonly sessions: Sessions;
  readonly apiSecret: { current(): string };
  readonly login: Login;
  readonly system: System;
  readonly beian: Beian;
  readonly bitrateLimits: BitrateLimits;
  readonly hlsSettings: HlsSettingsService;
  readonly publishSecret: PublishSecret;
  readonly activeStreams: ActiveStreams;
  readonly streamEvents: StreamEvents;
  readonly counters: StreamCounters;
  readonly callbacks: Callbacks;
  readonly certificates: Certificates;
  readonly hlsSegments: HlsSegments;
  readonly records: Records;
  readonly cloudRecording: CloudRecording;
  readonly liveView: LiveView;
  readonly liveClients: LiveClients;
  readonly streamPictures: StreamPictures;
  readonly monitor: Monitor;
  readonly firstSteps: ReturnType<typeof createFirstSteps>;
  readonly tutorialVideos: TutorialVideos;
}

export interface ServicesDeps {
  readonly env: PlatformEnv;
  readonly version: string;
  readonly store: Store;
  readonly log: Log;
  readonly now: () => Date;
  readonly passwordFile: PasswordFile;
  readonly mediaServer: MediaServer;
  readonly vhostConfig: { write(settings: HlsSettings & { isEnabled: boolean }): Promise<boolean> };
  readonly frontFile: FrontFile;
  readonly certificateFiles: CertificateFiles;
  readonly boundPorts: () => Promise<BoundPorts | undefined>;
  /** Asks the supervisor; false when there is none. */
  readonly askSupervisor: (request: UpgradeRequest) => boolean;
}

export async function openServices(deps: ServicesDeps): Promise<Services> {
  const { env, store, log, now, mediaServer } = deps;
  const events = await openMonitorEvents({ store, log, now });
  const audit = withEventsOfAudit(createAuditTrail({ store, log, now }), events);
  const password = await openAdminPassword(deps.passwordFile, env.adminPassword, async () => {
    const told = deps.frontFile.write({ initialised: true });
    // The password counts all the same: without the notice the login page only appears later.
    await told.catch((error) => log.warn({ err: error }, 'the gateway was not told that a password is set'));
  });
  const secret = await openApiSecret({ store, now, fixed: env.apiSecret });
  const epoch = await openSessionEpoch(store, password.current());
  const sessions = createSessions({ secret, epoch, now });
  const publishSecret = await openPublishSecret({ store, audit });
  const activeStreams = createActiveStreams({ store, audit, now, mediaServer });
  const counters = await openStreamCounters(store, log);
  const callbacks = await openCallbacks({ store, audit, log, now });
  const nodeId = await openNodeId(store);
  const hlsSegments = createHlsSegments(env.hlsPath);
  const records = await openRecords({
    ...{ store, audit, log, now, events: callbacks },
    dataDir: env.dataDir,
    hlsPath: env.hlsPath,
  });
  const operations = await openOperations({ ...deps, audit, activeStreams, isInitialised: password.isSet });
  const { components, usageLimit } = operations;
  hlsSegments.subscribe(async (segment) => {
    if (components.isEnabled('record')) await records.onSegment(segment);
  });
  components.subscribe(async (name, enabled) => {
    if (name === 'record' && !enabled) await records.endAll();
  });
  const hlsSettings = createHlsSettings({
    store,
    audit,
    log,
    config: deps.vhostConfig,
    isEnabled: components.isEnabled('hls'),
    mediaServer,
  });
  components.subscribe(async (name, enabled) => {
    if (name === 'hls') await hlsSettings.setEnabled(enabled);
  });
  const cloudDeps = { store, audit, log, now, dataDir: env.dataDir, hlsPath: env.hlsPath, region: env.cloud.region };
  const cloudRecording = await openCloudRecording({ ...cloudDeps, cloud: createTencentCloud(env.cloud.standIn) });
  hlsSegments.subscribe(cloudRecording.onSegment);
  const bitrateLimits = createBitrateLimits({ store, audit });
  const { dataDir } = env;
  const scenarios = await openScenarios({
    ...deps,
    audit,
    dataDir,
    nodeId,
    bitrateLimits,
    activeStreams,
    publishSecret,
    components,
  });
  const login = await openLogin({
    store,
    password,
    secret,
    epoch,
    sessions,
    audit,
    log,
    now,
    setupToken: env.setupToken,
  });
  const certificates = openCertificates(deps, audit);
  return {
    ...scenarios,
    ...operations,
    nodeId,
    audit,
    sessions,
    apiSecret: secret,
    login,
    system: createSystem({
      store,
      publishSecret,
      facts: { ...env, version: deps.version },
      boundPorts: deps.boundPorts,
      now,
      upgrades: operations.upgrades,
    }),
    beian: createBeian({ store, audit }),
    bitrateLimits,
    hlsSettings,
    publishSecret,
    activeStreams,
    streamEvents: withEventsOfStreams(
      createStreamEvents({ publishSecret, activeStreams, counters, callbacks, usageLimit, log }),
      events,
    ),
    counters,
    callbacks,
    certificates,
    hlsSegments,
    records,
    cloudRecording,
    liveView: createLiveView({ mediaServer, now }),
    monitor: await openMonitor({ ...deps, ...scenarios, dataDir, certificates, events }),
    liveClients: createLiveClients({ mediaServer, audit, now }),
    streamPictures: createStreamPictures({ mediaServer, now, takePicture: takeStillPicture }),
    firstSteps: createFirstSteps({ login, counters, certificates, records, forwards: scenarios.forwards }),
    tutorialVideos: createTutorialVideos({ store, log, now, askSite: askBilibili }),
  };
}

function openCertificates(deps: ServicesDeps, audit: AuditTrail): Certificates {
  const { env, store, log, now, mediaServer, certificateFiles: files } = deps;
  const challenges = createChallengeFiles(env.dataDir);
  return createCertificates({
    store,
    audit,
    log,
    now,
    files,
    mediaServer,
    authority: createAcmeAuthority(env.acme.directoryUrl, challenges),
    checkDomain: createDomainCheck({ ...env.acme, challenges }),
    startsSelfSigned: env.startsSelfSigned,
  });
}
