// Recording to the cloud: deprecated, and only in Chinese.
import { data, type GalleryPage, type GalleryState, refused } from '../gallery-page.ts';
import * as cloud from '../samples/cloud.ts';
import { asking, confirm, fill, press, steps } from '../steps.ts';

const filled = {
  queryDvr: data({ all: true, secret: true }),
  queryVod: data({ all: false, secret: true, service: true, storage: true }),
  queryCloudAccount: data(cloud.account),
  queryDvrFiles: data(cloud.dvrFiles),
  queryVodFiles: data(cloud.vodFiles),
} as const;
const empty = {
  queryDvr: data({ all: false, secret: false }),
  queryVod: data({ all: false, secret: false, service: false, storage: false }),
  queryCloudAccount: data(cloud.noAccount),
  queryDvrFiles: data([]),
  queryVodFiles: data([]),
} as const;
const vodPath = 'routers-scenario?tab=others&ctab=deprecated&dtab=vod';
const enterSecret = steps(
  fill('cloud-recording:account.secretId', 'AKIDexample'),
  fill('cloud-recording:account.secretKey', 'not a real one'),
  press('cloud-recording:account.save'),
);

const chinese: readonly GalleryState[] = [
  { name: 'empty', answers: empty, shows: 'cloud-recording:account.how' },
  { name: 'filled', answers: filled, shows: 'cloud-recording:problem.denied' },
  {
    name: 'vod',
    path: vodPath,
    answers: {
      ...filled,
      queryDvr: data({ all: false, secret: true }),
      queryVod: data({ all: true, secret: true, service: true, storage: true }),
    },
    shows: 'cloud-recording:row.mp4Link',
  },
  {
    name: 'introduction',
    answers: empty,
    act: press('cloud-recording:introduction.title'),
    shows: 'cloud-recording:introduction.safe',
  },
  {
    name: 'account',
    path: vodPath,
    answers: { ...filled, queryVod: data({ all: false, secret: true, service: false, storage: false }) },
    shows: 'cloud-recording:account.vodNotReady',
  },
  {
    name: 'no secret',
    answers: empty,
    act: press('cloud-recording:account.save'),
    shows: 'cloud-recording:account.missingValue',
  },
  {
    name: 'secret refused',
    answers: { ...empty, updateCloudSecret: refused('cloudCredentialsRefused') },
    act: enterSecret,
    shows: 'errors:explained.cloudCredentialsRefused.what',
  },
  {
    name: 'secret saved',
    answers: { ...empty, updateCloudSecret: data(null) },
    act: enterSecret,
    shows: 'cloud-recording:success.secretSaved',
  },
  {
    name: 'the other is on',
    path: vodPath,
    answers: filled,
    shows: 'cloud-recording:rules.otherOn',
  },
  { ...asking('delete', 'cloud-recording:row.removeText', press('cloud-recording:row.remove')), answers: filled },
  {
    name: 'deleted',
    answers: { ...filled, removeDvr: data(null) },
    act: steps(press('cloud-recording:row.remove'), confirm),
    shows: 'cloud-recording:success.removed',
  },
];

export const cloudPages: readonly GalleryPage[] = [
  {
    id: 'deprecated',
    source: 'features/cloud-recording',
    path: 'routers-scenario?tab=others&ctab=deprecated&dtab=dvr',
    needs: ['queryDvr', 'queryVod', 'queryCloudAccount'],
    needsLocale: 'zh',
    states: [
      ...chinese.map((state) => ({ ...state, locale: 'zh' as const })),
      { name: 'on the way', locale: 'en', shows: 'cloud-recording:onTheWay.text' },
    ],
  },
];
