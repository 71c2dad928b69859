// Monitoring pages of operators: dashboard, tutorials, the live stream, live rooms, all streams.
import { data, type GalleryPage, refused } from '../gallery-page.ts';
import { noCandidate } from '../samples/everyday.ts';
import { demoFailed, demoOn, demoStarting, firstStepsDone } from '../samples/first-run.ts';
import { rooms } from '../samples/live-rooms.ts';
import { longestName, manyStreams } from '../samples/many.ts';
import { partlyAway, quiet, troubled } from '../samples/monitor.ts';
import { components } from '../samples/operations.ts';
import { clientsOf, liveStream, nothingLive, refusal } from '../samples/streams.ts';
import { viewersNone } from '../samples/viewers.ts';
import { link, open, ruled } from '../samples/watching.ts';
import { asking, confirm, fill, press, steps } from '../steps.ts';

const viewers = { clients: clientsOf(liveStream()), total: 5 };
const severalLive = data({
  mediaServer: true,
  streams: [
    liveStream(),
    liveStream({
      id: 'vid-1',
      stream: 'lobby',
      slateForMs: 95_000,
      publisherProtocol: 'srt',
      keyframeIntervalMs: 8_200,
      viewers: 12,
    }),
    liveStream({ id: 'vid-2', stream: 'radio', publisherProtocol: 'rtc', video: null, fps: 0, viewers: 0 }),
    liveStream({
      id: 'vid-3',
      stream: 'stage',
      viewers: 3,
      backupForMs: 20_000,
      spares: [{ priority: 2, isOnAir: true }],
    }),
  ],
  refusals: [],
});

export const livePages: readonly GalleryPage[] = [
  {
    id: 'dashboard',
    path: 'routers-dashboard',
    needs: ['queryMonitor', 'queryMonitorHistory', 'queryViewers'],
    errorShows: 'dashboard:unreachable.title',
    states: [
      { name: 'filled', shows: 'dashboard:charts.title' },
      { name: 'quiet', answers: { queryMonitor: data(quiet) }, shows: 'dashboard:events.none' },
      { name: 'two media servers', answers: { queryMonitor: data(partlyAway) }, shows: 'dashboard:servers.title' },
      { name: 'troubled', answers: { queryMonitor: data(troubled) }, shows: 'dashboard:alarm.disk-full.what' },
      { name: 'no reports', answers: { queryViewers: data(viewersNone) }, shows: 'viewers:nothing' },
      {
        name: 'reports off',
        answers: { queryViewers: data({ ...viewersNone, viewerReports: false }) },
        shows: 'viewers:off',
      },
      { name: 'stale', isStale: true, shows: 'common:controlPlane.away' },
    ],
  },
  {
    id: 'tutorials',
    path: 'routers-scenario?tab=tutorials',
    needs: ['queryFirstSteps'],
    states: [
      { name: 'empty', answers: { queryLive: nothingLive }, shows: 'tutorials:ways.obs.text' },
      { name: 'filled', shows: 'tutorials:next.onAir.text' },
      {
        name: 'demo starting',
        answers: { queryDemoStream: data(demoStarting), queryLive: nothingLive },
        shows: 'tutorials:next.demoStarting.progress',
      },
      {
        name: 'demo failed',
        answers: { queryDemoStream: data(demoFailed), queryLive: nothingLive },
        shows: 'tutorials:next.demoFailed.text',
      },
      {
        name: 'demo refused',
        answers: { queryLive: nothingLive, startDemoStream: refused('programMissing') },
        act: press('tutorials:ways.demo.button'),
        shows: 'errors:explained.programMissing.what',
      },
      {
        name: 'media server away',
        answers: { queryLive: data({ mediaServer: false, streams: [], refusals: [] }) },
        shows: 'tutorials:next.engineAway.what',
      },
      {
        name: 'all steps done',
        answers: { queryFirstSteps: data(firstStepsDone) },
        shows: 'tutorials:steps.allDone',
      },
      {
        name: 'demo',
        answers: {
          queryDemoStream: data(demoOn),
          queryLive: data({ mediaServer: true, streams: [liveStream({ stream: 'demo' })], refusals: [] }),
        },
        shows: 'tutorials:demo.stop',
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
        shows: 'live:health.more',
      },
      {
        name: 'insecure',
        origin: 'http://203.0.113.9:2022',
        act: press('live:items.browserWhip.title'),
        shows: 'live:webrtc.https.title',
      },
      {
        name: 'localhost',
        origin: 'http://localhost:2022',
        answers: { envs: data(noCandidate) },
        act: press('live:items.browserWhip.title'),
        shows: 'live:webrtc.localhost.title',
      },
      {
        name: 'slate on the air',
        answers: {
          queryLive: data({ mediaServer: true, streams: [liveStream({ slateForMs: 95_000 })], refusals: [] }),
        },
        shows: (page) => page.getByText(/Slate since|起播出垫片/),
      },
      {
        name: 'spare encoder connected',
        answers: {
          queryLive: data({
            mediaServer: true,
            streams: [liveStream({ spares: [{ priority: 2, isOnAir: false }] })],
            refusals: [],
          }),
        },
        shows: (page) => page.getByText(/Spare encoder connected|已连接 1 个备用编码器/),
      },
      { name: 'introduction', act: press('live:items.introduction.title'), shows: 'live:introduction.watch' },
      { name: 'ffmpeg', act: press('live:items.ffmpegRtmp.title'), shows: 'live:ffmpeg.reencode' },
      { name: 'webrtc', act: press('live:items.browserWhip.title'), shows: 'live:browserWhip.openPage' },
      { name: 'srt', act: press('live:items.obsSrt.title'), shows: 'live:guide.leaveEmpty' },
      { name: 'ffmpeg srt', act: press('live:items.ffmpegSrt.title'), shows: 'live:ffmpegSrt.play' },
      { name: 'whip', act: press('live:items.obsWhip.title'), shows: 'live:obsWhip.bearerToken' },
      { name: 'name explained', act: press('live:name.help.title'), shows: 'live:name.help.text' },
      {
        name: 'no such name',
        act: steps(press('live:name.edit'), fill('live:name.label', 'main stage')),
        shows: 'live:name.invalid',
      },
      {
        name: 'another name',
        act: steps(press('live:name.edit'), fill('live:name.label', 'main-stage'), press('live:name.save')),
        shows: 'live:name.changed',
      },
      {
        name: 'connected',
        answers: {
          queryLive: data({ mediaServer: true, streams: [liveStream({ hasMedia: false })], refusals: [] }),
        },
        shows: 'live:connected.advice',
      },
      {
        name: 'media server away',
        answers: { queryLive: data({ mediaServer: false, streams: [], refusals: [] }) },
        shows: 'live:card.away.title',
      },
      {
        name: 'needs a link',
        answers: { queryWatchAccess: data({ mode: 'signed' }), queryWatching: data(ruled) },
        shows: 'live:guide.protected.signed.text',
      },
      {
        name: 'a link was made',
        answers: {
          ...{ queryWatchAccess: data({ mode: 'password' }), queryWatching: data(ruled), createWatchLink: data(link) },
        },
        act: press('live:guide.protected.make'),
        shows: 'live:guide.protected.made',
      },
      {
        name: 'no key for a link',
        answers: { queryWatchAccess: data({ mode: 'verdict' }), queryWatching: data(open) },
        shows: 'live:guide.protected.noKey',
      },
      asking('kick', 'live:kick.consequence', press('live:kick.button')),
      {
        name: 'kicked',
        answers: { kickStream: data(null) },
        act: steps(press('live:kick.button'), confirm),
        shows: 'live:kick.done',
      },
      {
        name: 'kick failed',
        answers: { kickStream: refused('streamNotLive') },
        act: steps(press('live:kick.button'), confirm),
        shows: 'live:kick.failed',
      },
      {
        name: 'long name',
        answers: { queryLive: data({ mediaServer: true, streams: manyStreams.slice(1, 2), refusals: [] }) },
        shows: 'live:waiting.others',
      },
      {
        name: 'long own name',
        act: steps(press('live:name.edit'), fill('live:name.label', longestName), press('live:name.save')),
        shows: 'live:name.changed',
      },
      {
        name: 'protocol off',
        answers: { queryComponents: data(components) },
        act: press('live:items.browserWhip.title'),
        shows: 'live:protocolOff.title',
      },
      {
        name: 'session ended',
        answers: { queryLive: refused('tokenInvalid') },
        shows: 'errors:explained.tokenInvalid.what',
      },
      { name: 'several', answers: { queryLive: severalLive }, shows: 'live:card.uptime' },
      { name: 'stale', isStale: true, shows: 'common:controlPlane.away' },
    ],
  },
  {
    id: 'rooms',
    path: 'routers-rooms',
    source: 'features/live-rooms',
    needs: ['queryRoomStates'],
    answers: { queryRoomStates: data({ rooms: [...rooms] }) },
    states: [
      { name: 'empty', answers: { queryRoomStates: data({ rooms: [] }) }, shows: 'live-rooms:none.title' },
      { name: 'filled', shows: 'live-rooms:state.byGuest' },
      { name: 'new room', act: press('live-rooms:new.open'), shows: 'live-rooms:new.startHint' },
      {
        name: 'addresses',
        act: (page) => page.locator('summary').first().click(),
        shows: 'live-rooms:addresses.server',
      },
      asking('revoke', 'live-rooms:invite.confirm', press('live-rooms:invite.revoke')),
      asking('new secret', 'live-rooms:secret.confirm', press('live-rooms:secret.replace')),
      asking('remove on air', 'live-rooms:remove.confirmLive', press('live-rooms:remove.button')),
    ],
  },
  {
    id: 'streams',
    path: 'routers-streams',
    needs: ['queryLive'],
    answers: { queryLiveClients: data(viewers) },
    states: [
      { name: 'empty', answers: { queryLive: nothingLive }, shows: 'streams:empty.title' },
      { name: 'filled', answers: { queryLive: severalLive }, shows: 'streams:totals.incoming' },
      {
        name: 'details',
        path: 'routers-streams?stream=live%2Flivestream',
        answers: { queryLive: severalLive },
        shows: 'streams:clients.title',
      },
      {
        ...asking('kick encoder', 'streams:kick.publisherConsequence', press('streams:kick.publisher')),
        path: 'routers-streams?stream=live%2Flivestream',
        answers: { queryLive: severalLive },
      },
      {
        ...asking('kick viewer', 'streams:kick.viewerConsequence', (page) =>
          page
            .getByRole('button', { name: viewers.clients.at(-1)!.ip })
            .last()
            .click(),
        ),
        path: 'routers-streams?stream=live%2Flivestream',
        answers: { queryLive: severalLive },
      },
      {
        ...asking('stop recording', 'recording:stream.endConsequence', press('recording:stream.end')),
        path: 'routers-streams?stream=live%2Flivestream',
        answers: { queryLive: severalLive },
      },
      {
        name: 'viewer kicked',
        path: 'routers-streams?stream=live%2Flivestream',
        answers: { queryLive: severalLive, kickLiveClient: data(null) },
        act: steps(
          (page) =>
            page
              .getByRole('button', { name: viewers.clients.at(-1)!.ip })
              .last()
              .click(),
          confirm,
        ),
        shows: 'streams:kick.viewerDone',
      },
      {
        name: 'recording refused',
        path: 'routers-streams?stream=live%2Flivestream',
        answers: { queryLive: severalLive, updateStreamRecording: refused('diskFull') },
        act: steps(press('recording:stream.end'), confirm),
        shows: 'errors:explained.diskFull.what',
      },
      {
        name: 'clients failed',
        path: 'routers-streams?stream=live%2Flivestream',
        answers: { queryLive: severalLive, queryLiveClients: refused('mediaServerUnreachable') },
        shows: 'streams:clients.failed',
      },
      {
        name: 'gone',
        path: 'routers-streams?stream=live%2Fyesterday',
        answers: { queryLive: severalLive },
        shows: 'streams:gone',
      },
      {
        name: 'many',
        isLong: true,
        answers: { queryLive: data({ mediaServer: true, streams: manyStreams, refusals: [] }) },
        shows: 'streams:totals.incoming',
      },
      {
        name: 'nothing found',
        answers: { queryLive: severalLive },
        act: fill('streams:search', 'no such stream'),
        shows: 'streams:nothingFound',
      },
      {
        name: 'media server away',
        answers: { queryLive: data({ mediaServer: false, streams: [], refusals: [] }) },
        shows: 'streams:away.title',
      },
    ],
  },
];
