// Every page of the console and its states. A new page is one entry; a route without one fails the test.

import { data, type GalleryPage, refused } from './gallery-page.ts';
import * as cloud from './samples/cloud.ts';
import { clientsOf, liveStream, nothingLive, refusal } from './samples/everyday.ts';
import { demoOn } from './samples/first-run.ts';
import * as operations from './samples/operations.ts';
import { recordings, recordRules, recordStatus, removed } from './samples/recordings.ts';
import { revision } from './samples/revision.ts';
import * as settings from './samples/settings.ts';
import * as workers from './samples/workers.ts';

const entry: readonly GalleryPage[] = [
  {
    id: 'boot',
    path: 'routers-login',
    states: [
      { name: 'loading', answers: { envs: 'pending' }, isSignedOut: true, shows: 'common:loading' },
      { name: 'unreachable', answers: { envs: 'unreachable' }, isSignedOut: true },
      { name: 'failed', answers: { init: refused('internal') }, isSignedOut: true, shows: 'common:reload' },
    ],
  },
  {
    id: 'setup',
    path: 'routers-setup',
    answers: { init: data({ init: false, setupTokenRequired: false }) },
    states: [
      { name: 'filled', isSignedOut: true, shows: 'setup:submit' },
      { name: 'waiting', isSignedOut: true, answers: { check: data({ upgrading: true }) } },
      {
        name: 'token',
        isSignedOut: true,
        answers: { init: data({ init: false, setupTokenRequired: true }) },
        shows: 'setup:setupToken',
      },
    ],
  },
  {
    id: 'login',
    path: 'routers-login',
    states: [
      { name: 'filled', isSignedOut: true, shows: 'login:submit.idle' },
      { name: 'verifying', answers: { renewToken: 'pending' }, shows: 'login:submit.verifying' },
      {
        name: 'refused',
        isSignedOut: true,
        answers: { login: refused('passwordWrong') },
        act: async (page, text) => {
          await page.getByRole('textbox').fill('a wrong guess');
          await page.getByRole('button', { name: text('login:submit.idle') }).click();
        },
        shows: 'errors:explained.passwordWrong.what',
      },
    ],
  },
  // The logout screen leaves at once for the login screen; its picture is that one.
  { id: 'logout', path: 'routers-logout', states: [{ name: 'done', shows: 'login:submit.idle' }] },
];

const scenario: readonly GalleryPage[] = [
  {
    id: 'tutorials',
    path: 'routers-scenario?tab=tutorials',
    needs: ['queryFirstSteps'],
    states: [
      { name: 'empty', answers: { queryLive: nothingLive } },
      { name: 'filled' },
      {
        name: 'demo',
        answers: {
          queryDemoStream: data(demoOn),
          queryLive: data({ mediaServer: true, streams: [liveStream({ stream: 'demo' })], refusals: [] }),
        },
      },
    ],
  },
  {
    id: 'live',
    path: 'routers-scenario?tab=live',
    needs: ['queryPublishSecret', 'queryLive'],
    states: [
      { name: 'empty', answers: { queryLive: nothingLive }, shows: 'live:waiting.title' },
      { name: 'filled', shows: 'live:card.uptime' },
      {
        name: 'refusal',
        answers: { queryLive: data({ mediaServer: true, streams: [], refusals: [refusal] }) },
        shows: 'live:refusal.publish-secret-wrong.title',
      },
      {
        name: 'unhealthy',
        answers: {
          queryLive: data({
            mediaServer: true,
            streams: [liveStream({ keyframeIntervalMs: 8_200, audio: null, publisherProtocol: 'srt' })],
            refusals: [],
          }),
        },
      },
      {
        name: 'insecure',
        origin: 'http://203.0.113.9:2022',
        act: (page, text) => page.getByRole('button', { name: text('live:items.browserWhip.title') }).click(),
        shows: 'live:webrtc.https.title',
      },
      {
        name: 'webrtc',
        act: (page, text) => page.getByRole('button', { name: text('live:items.browserWhip.title') }).click(),
      },
      { name: 'srt', act: (page, text) => page.getByRole('button', { name: text('live:items.obsSrt.title') }).click() },
      { name: 'media server away', answers: { queryLive: data({ mediaServer: false, streams: [], refusals: [] }) } },
      { name: 'stale', isStale: true, shows: 'common:controlPlane.away' },
    ],
  },
  {
    id: 'forward',
    path: 'routers-scenario?tab=forward',
    needs: ['forwardSecret', 'forwardStreams'],
    answers: { queryWorkerLogs: data(workers.workerLogs) },
    states: [
      { name: 'empty', answers: { forwardSecret: data({}), forwardStreams: data([]) } },
      {
        name: 'filled',
        answers: { forwardSecret: data(workers.forwardTargets), forwardStreams: data(workers.forwardRows) },
        shows: 'worker:reason.not-authorized.what',
      },
      {
        name: 'stale',
        isStale: true,
        answers: { forwardSecret: data(workers.forwardTargets), forwardStreams: data(workers.forwardRows) },
        shows: 'common:controlPlane.away',
      },
    ],
  },
  {
    id: 'record',
    path: 'routers-scenario?tab=record',
    needs: ['queryRecord', 'queryRecordFiles', 'queryRecordStatus', 'queryRecordBin'],
    states: [
      {
        name: 'off',
        answers: {
          queryRecord: data({ ...recordRules, all: false }),
          queryRecordFiles: data([]),
          queryRecordStatus: data(recordStatus([])),
          queryRecordBin: data([]),
        },
        shows: 'record:rules.start',
      },
      {
        name: 'empty',
        answers: {
          queryRecord: data(recordRules),
          queryRecordFiles: data([]),
          queryRecordStatus: data(recordStatus([])),
          queryRecordBin: data([]),
        },
        shows: 'record:list.empty',
      },
      {
        name: 'filled',
        answers: {
          queryRecord: data(recordRules),
          queryRecordFiles: data(recordings),
          queryRecordStatus: data(recordStatus(recordings)),
          queryRecordBin: data(removed),
        },
        shows: 'record:state.failed',
      },
      {
        name: 'disk full',
        answers: {
          queryRecord: data(recordRules),
          queryRecordFiles: data(recordings.slice(0, 3)),
          queryRecordStatus: data(recordStatus(recordings, 'full')),
          queryRecordBin: data(removed),
        },
        shows: 'record:disk.full',
      },
    ],
  },
  {
    id: 'vlive',
    path: 'routers-scenario?tab=vlive',
    needs: ['vliveSecret', 'vliveStreams'],
    answers: { queryLibrary: data(workers.library), queryWorkerLogs: data(workers.workerLogs) },
    states: [
      {
        name: 'empty',
        answers: {
          vliveSecret: data({}),
          vliveStreams: data([]),
          queryLibrary: data({ ...workers.library, files: [] }),
        },
      },
      { name: 'library', answers: { vliveSecret: data({}), vliveStreams: data([]) }, shows: 'vlive:library.title' },
      {
        name: 'filled',
        answers: { vliveSecret: data(workers.vliveTargets), vliveStreams: data(workers.vliveRows) },
        shows: 'worker:reason.file-missing.what',
      },
    ],
  },
  {
    id: 'transcode',
    path: 'routers-scenario?tab=transcode',
    needs: ['queryTranscode', 'queryTranscodeTask'],
    answers: { queryWorkerLogs: data(workers.workerLogs) },
    states: [
      {
        name: 'empty',
        answers: {
          queryTranscode: data(workers.neverTranscoded),
          queryTranscodeTask: data(workers.transcodeTask('idle')),
        },
        shows: 'transcode:status.offTitle',
      },
      {
        name: 'waiting',
        answers: {
          queryTranscode: data(workers.transcodeConfig),
          queryTranscodeTask: data(workers.transcodeTask('waiting', { reason: 'source-not-live' })),
        },
        shows: 'transcode:status.waitTitle',
      },
      {
        name: 'filled',
        answers: {
          queryTranscode: data(workers.transcodeConfig),
          queryTranscodeTask: data(workers.transcodeTask('running')),
        },
        shows: 'transcode:status.output',
      },
    ],
  },
  {
    id: 'srt',
    path: 'routers-scenario?tab=others&ctab=other',
    needs: ['queryPublishSecret'],
    states: [{ name: 'filled', shows: 'srt-guide:vmix.title' }],
  },
  {
    id: 'deprecated',
    path: 'routers-scenario?tab=others&ctab=deprecated&dtab=dvr',
    needs: ['queryDvr', 'queryVod', 'queryCloudAccount'],
    states: [
      {
        name: 'empty',
        answers: {
          queryDvr: data({ all: false, secret: false }),
          queryVod: data({ all: false, secret: false, service: false, storage: false }),
          queryCloudAccount: data(cloud.noAccount),
          queryDvrFiles: data([]),
          queryVodFiles: data([]),
        },
      },
      {
        name: 'filled',
        answers: {
          queryDvr: data({ all: true, secret: true }),
          queryVod: data({ all: false, secret: true, service: true, storage: true }),
          queryCloudAccount: data(cloud.account),
          queryDvrFiles: data(cloud.dvrFiles),
          queryVodFiles: data(cloud.vodFiles),
        },
      },
      {
        name: 'vod',
        path: 'routers-scenario?tab=others&ctab=deprecated&dtab=vod',
        answers: {
          queryDvr: data({ all: false, secret: true }),
          queryVod: data({ all: true, secret: true, service: true, storage: true }),
          queryCloudAccount: data(cloud.account),
          queryDvrFiles: data([]),
          queryVodFiles: data(cloud.vodFiles),
        },
      },
    ],
  },
];

const viewers = { clients: clientsOf(liveStream()), total: 5 };
const severalLive = data({
  mediaServer: true,
  streams: [
    liveStream(),
    liveStream({ id: 'vid-1', stream: 'lobby', publisherProtocol: 'srt', keyframeIntervalMs: 8_200, viewers: 12 }),
    liveStream({ id: 'vid-2', stream: 'radio', publisherProtocol: 'rtc', video: null, fps: 0, viewers: 0 }),
  ],
  refusals: [],
});
const streamPages: readonly GalleryPage[] = [
  {
    id: 'dashboard',
    path: 'routers-dashboard',
    needs: ['queryMonitor', 'queryMonitorHistory'],
    states: [{ name: 'filled', shows: 'dashboard:charts.title' }],
  },
  {
    id: 'streams',
    path: 'routers-streams',
    needs: ['queryLive'],
    answers: { queryStreamPicture: data({ picture: null }), queryLiveClients: data(viewers) },
    states: [
      { name: 'empty', answers: { queryLive: nothingLive }, shows: 'streams:empty.title' },
      { name: 'filled', answers: { queryLive: severalLive }, shows: 'streams:totals.incoming' },
      {
        name: 'media server away',
        answers: { queryLive: data({ mediaServer: false, streams: [], refusals: [] }) },
        shows: 'streams:away.title',
      },
    ],
  },
];

const settingsPages: readonly GalleryPage[] = [
  {
    id: 'settings-auth',
    path: 'routers-settings?tab=auth',
    needs: ['queryPublishSecret'],
    states: [
      { name: 'filled', shows: 'settings-auth:secret.title' },
      {
        name: 'no authentication',
        path: 'routers-settings?tab=auth&allow-noauth=true',
        answers: { queryPublishSecret: data({ publish: 'b2e14a7c', pubNoAuth: true, revision }) },
        shows: 'settings-auth:noAuth.warning',
      },
    ],
  },
  {
    id: 'settings-https',
    path: 'routers-settings?tab=https',
    needs: ['queryCertificateStatus'],
    states: [
      {
        name: 'empty',
        answers: { queryCertificateStatus: data(settings.noCertificate) },
        shows: 'settings-https:none.title',
      },
      {
        name: 'filled',
        answers: { queryCertificateStatus: data(settings.certificateState) },
        shows: 'settings-https:fact.until',
      },
      { name: 'self-signed', answers: { queryCertificateStatus: data(settings.selfSigned) } },
      {
        name: 'order running',
        answers: { queryCertificateStatus: data(settings.orderRunning) },
        shows: 'settings-https:order.step.validating',
      },
      { name: 'order failed', answers: { queryCertificateStatus: data(settings.orderFailed) } },
    ],
  },
  {
    id: 'settings-hls',
    path: 'routers-settings?tab=hls',
    needs: ['queryHighPerformanceHls', 'queryLowLatencyHls'],
    states: [
      {
        name: 'filled',
        answers: {
          queryHighPerformanceHls: data({ noHlsCtx: true, revision }),
          queryLowLatencyHls: data({ hlsLowLatency: false, revision }),
        },
        shows: 'settings-hls:contexts.title',
      },
    ],
  },
  {
    id: 'settings-beian',
    path: 'routers-settings?tab=beian',
    states: [
      { name: 'empty', shows: 'settings-beian:icp.title' },
      {
        name: 'filled',
        answers: { queryBeian: data({ icp: '京ICP备19056366号', title: 'Studio A' }) },
        shows: 'settings-beian:icp.title',
      },
    ],
  },
  {
    id: 'settings-callback',
    path: 'routers-settings?tab=callback',
    needs: ['queryHooks', 'queryHookDeliveries'],
    states: [
      {
        name: 'empty',
        answers: { queryHooks: data(settings.noHooks), queryHookDeliveries: data({ deliveries: [] }) },
        shows: 'settings-callback:log.empty.title',
      },
      {
        name: 'filled',
        answers: { queryHooks: data(settings.hooks), queryHookDeliveries: data({ deliveries: settings.deliveries }) },
        shows: 'settings-callback:last.request',
      },
    ],
  },
  {
    id: 'settings-limit',
    path: 'routers-settings?tab=limit',
    needs: ['queryUsageLimit', 'queryLimits'],
    answers: { queryLimits: data({ vlive: 5_000, camera: 5_000, revision }) },
    states: [
      {
        name: 'empty',
        answers: { queryUsageLimit: data(operations.noUsageLimit) },
        shows: 'settings-limit:usage.noLimit',
      },
      { name: 'filled', answers: { queryUsageLimit: data(operations.usage) }, shows: 'settings-limit:usage.title' },
      {
        name: 'used up',
        answers: { queryUsageLimit: data(operations.usedUp) },
        shows: 'settings-limit:usage.exhausted',
      },
    ],
  },
  {
    id: 'settings-proxy',
    path: 'routers-settings?tab=proxy',
    needs: ['queryHomepage', 'queryProxyLocations', 'queryLoadBalancer'],
    answers: { queryHomepage: data({ homepage: '/mgmt', revision }), queryLoadBalancer: data(operations.loadBalancer) },
    states: [
      {
        name: 'empty',
        answers: { queryProxyLocations: data({ locations: [], revision }) },
        shows: 'settings-proxy:locations.title',
      },
      {
        name: 'filled',
        answers: { queryProxyLocations: data(operations.locations) },
        shows: 'settings-proxy:home.title',
      },
    ],
  },
  {
    id: 'settings-platform',
    path: 'routers-settings?tab=platform',
    needs: ['queryUpgradeWindow', 'queryAdminKey'],
    answers: { queryUpgradeWindow: data(operations.upgradeWindow) },
    states: [
      {
        name: 'empty',
        answers: { queryAdminKey: data(operations.adminKeyOff) },
        shows: 'settings-platform:window.title',
      },
      {
        name: 'filled',
        answers: { queryAdminKey: data(operations.adminKey) },
        shows: 'settings-platform:window.title',
      },
    ],
  },
  {
    id: 'settings-api',
    path: 'routers-settings?tab=api',
    needs: ['querySecret'],
    states: [
      {
        name: 'filled',
        answers: { querySecret: data('srs-v2-8f14e45fceea167a5a36dedd4bea2543') },
        shows: 'settings-api:examples.title',
      },
    ],
  },
];

const others: readonly GalleryPage[] = [
  {
    id: 'components',
    path: 'routers-components',
    needs: ['status', 'queryComponents'],
    states: [{ name: 'filled', answers: { queryComponents: data(operations.components) }, shows: 'components:latest' }],
  },
  { id: 'contact', path: 'routers-contact', states: [{ name: 'filled', shows: 'contact:title' }] },
];

const flv = encodeURIComponent('https://live.example.com/live/livestream.flv');
const rtc = 'app=live&stream=livestream';
/** Pages for viewers and publishers, beside the console. */
const playerPages: readonly GalleryPage[] = [
  {
    id: 'simple-player',
    path: '/tools/player.html',
    states: [{ name: 'no address' }, { name: 'connecting', path: `/tools/player.html?url=${flv}` }],
  },
  {
    id: 'alternate-player',
    path: '/tools/xgplayer.html',
    states: [{ name: 'no address' }, { name: 'connecting', path: `/tools/xgplayer.html?url=${flv}` }],
  },
  { id: 'srs-player', path: '/players/srs_player.html', states: [{ name: 'filled' }] },
  {
    id: 'whep',
    path: '/players/whep.html',
    states: [{ name: 'filled' }, { name: 'connecting', path: `/players/whep.html?${rtc}&autostart=true` }],
  },
  { id: 'media-console-zh', path: '/console/ng_index.html', states: [{ name: 'empty' }] },
  { id: 'media-console-en', path: '/console/en_index.html', states: [{ name: 'empty' }] },
  { id: 'whip', path: '/players/whip.html', states: [{ name: 'filled', path: `/players/whip.html?${rtc}` }] },
  { id: 'rtc-player', path: '/players/rtc_player.html', states: [{ name: 'filled' }] },
  { id: 'rtc-publisher', path: '/players/rtc_publisher.html', states: [{ name: 'filled' }] },
];

export const galleryPages: readonly GalleryPage[] = [
  ...entry,
  ...scenario,
  ...streamPages,
  ...settingsPages,
  ...others,
  ...playerPages,
];
