// Responses that every page needs: a configured and healthy server, one hour after the start of a live stream.
import type { Environment } from '@srs-stack/contract';
import { type Answers, data } from '../gallery-page.ts';
import { demoOff, firstSteps, video } from './first-run.ts';
import { events, history, snapshot } from './monitor.ts';
import { allRunning } from './operations.ts';
import { revision } from './revision.ts';
import { slateImage, slatesOff } from './slates.ts';
import { liveStream } from './streams.ts';
import { viewersHour } from './viewers.ts';

export const session = {
  token: 'gallery-token',
  createAt: '2026-03-08T09:00:00+08:00',
  expireAt: '2027-03-08T09:00:00+08:00',
  bearer: 'gallery.session.bearer',
};

const environment: Environment = {
  mgmtDocker: true,
  platformDocker: false,
  candidate: true,
  rtmpPort: '1935',
  httpPort: '',
  srtPort: '10080',
  rtcPort: '8000',
  forwardLimit: 10,
  vLiveLimit: 10,
  cameraLimit: 10,
};

/** Environment of a server that does not know its public address. */
export const noCandidate: Environment = { ...environment, mgmtDocker: false, candidate: false };

export const everydayAnswers: Answers = {
  queryVersion: data({ version: '1.2.3' }),
  init: data({ init: true, setupTokenRequired: false }),
  renewToken: data(session),
  logOut: data(null),
  check: data({ upgrading: false }),
  envs: data(environment),
  status: data({
    version: 'v1.2.3',
    releases: { version: 'v1.2.3', stable: 'v1.2.0', latest: 'v1.3.0' },
    upgrading: false,
    strategy: 'manual',
  }),
  queryBeian: data({}),
  queryComponents: data(allRunning),
  queryLowLatencyHls: data({ hlsLowLatency: false, revision }),
  queryPublishSecret: data({ publish: 'b2e14a7c90d34f6f8a1d', pubNoAuth: false, revision }),
  queryPublishSecretUses: data({ follows: [], others: [] }),
  queryStreams: data({ streams: [] }),
  queryStreamKeys: data({ keys: [] }),
  createConsoleLink: data({ query: '', expiresAt: 0 }),
  queryWatchAccess: data({ mode: 'open' }),
  queryMonitor: data({ snapshot, events }),
  queryMonitorHistory: data(history),
  queryViewers: data(viewersHour),
  queryFirstSteps: data(firstSteps),
  queryDemoStream: data(demoOff),
  bilibili: data(video),
  queryLive: data({ mediaServer: true, streams: [liveStream()], refusals: [] }),
  queryStreamPicture: data({ picture: null }),
  querySlates: data(slatesOff),
  querySlatePicture: data({ picture: null }),
  previewSlate: data({ picture: slateImage }),
  queryRewindWindows: data([]),
  queryStreamRecording: data({ wanted: true, chosen: true, since: '2026-03-08T10:14:05Z' }),
};
