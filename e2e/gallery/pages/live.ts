// What an operator watches: dashboard, tutorials, the live stream, all streams.
import { data, type GalleryPage } from '../gallery-page.ts';
import { demoOn } from '../samples/first-run.ts';
import { manyStreams } from '../samples/many.ts';
import { clientsOf, liveStream, nothingLive, refusal } from '../samples/streams.ts';
import { asking, fill, press } from '../steps.ts';

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

export const livePages: readonly GalleryPage[] = [
  {
    id: 'dashboard',
    path: 'routers-dashboard',
    needs: ['queryMonitor', 'queryMonitorHistory'],
    states: [{ name: 'filled', shows: 'dashboard:charts.title' }],
  },
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
      asking('kick', 'live:kick.consequence', press('live:kick.button')),
      {
        name: 'long name',
        answers: { queryLive: data({ mediaServer: true, streams: manyStreams.slice(1, 2), refusals: [] }) },
      },
      { name: 'several', answers: { queryLive: severalLive }, shows: 'live:card.uptime' },
      { name: 'stale', isStale: true, shows: 'common:controlPlane.away' },
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
