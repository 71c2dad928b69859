// Pages outside the console: pages for viewers and publishers, and the media server console.
import type { InvitationState } from '@srs-stack/contract/values/live-rooms.ts';
import type { Page } from 'playwright-core';
import { type Answers, data, type GalleryPage, type GalleryState } from '../gallery-page.ts';
import { srsAnswers } from '../samples/media-server.ts';

const player = '/tools/player.html?url=';
const flv = encodeURIComponent('https://live.example.com/live/livestream.flv');
const notLive = encodeURIComponent('https://live.example.com/live/not-live.flv');
const refused = encodeURIComponent('https://live.example.com/live/refused.flv');
const rtc = 'app=live&stream=livestream';

const words = (page: Page) => page.locator('.overlay strong').filter({ hasText: /./ });
const busy = (page: Page) => page.locator('.spinner');
const retry = (page: Page) => page.locator('.overlay button').filter({ visible: true });
const message = (page: Page) => page.locator('.message strong').filter({ hasText: /./ });
const startButton = (page: Page) => page.locator('.buttons button.primary:enabled');
const guestLink = `/players/guest.html#inv-${'0a'.repeat(16)}-${'1b'.repeat(8)}-${'2c'.repeat(16)}`;
const invited = (state: InvitationState): Answers => ({
  queryInvitation: data({
    ...{ state, title: state === 'closed' ? '' : 'Friday interview', app: 'live', stream: 'a1b2c3d4e5f6' },
    ...{ startsAt: '2099-01-02T03:04:05Z', expiresAt: '2099-01-03T03:04:05Z' },
  }),
});
const addressField = (page: Page) => page.locator('.address-form input');

const mediaConsole = (file: string): readonly GalleryState[] => [
  { name: 'empty', shows: (page) => page.getByRole('navigation').locator('[aria-current="page"]') },
  { name: 'filled', answers: { srs: srsAnswers }, shows: (page) => page.getByText('7.0.18') },
  {
    name: 'streams',
    path: `${file}#/streams`,
    answers: { srs: srsAnswers },
    shows: (page) => page.getByText('live/livestream'),
  },
  {
    name: 'clients',
    path: `${file}#/clients`,
    answers: { srs: srsAnswers },
    shows: (page) => page.getByText('203.0.113.24'),
  },
  {
    name: 'vhosts',
    path: `${file}#/vhosts`,
    answers: { srs: srsAnswers },
    shows: (page) => page.getByText('__defaultVhost__'),
  },
  {
    name: 'away',
    path: `${file}#/streams`,
    answers: { srs: 'unreachable' },
    shows: (page) => page.locator('main button'),
  },
  {
    name: 'wrong address',
    path: `${file}#/streams?api=ftp://srs.example`,
    shows: (page) => page.getByText(/\?api=http/),
  },
];

export const playerPages: readonly GalleryPage[] = [
  {
    id: 'simple-player',
    source: 'players',
    path: '/tools/player.html',
    states: [
      { name: 'no address', shows: words },
      { name: 'connecting', path: `${player}${flv}`, shows: busy },
      { name: 'not live', path: `${player}${notLive}`, shows: retry },
      {
        name: 'needs a password',
        path: `${player}${refused}`,
        answers: { queryWatchAccess: data({ mode: 'password' }) },
        isSignedOut: true,
        shows: (page) => page.locator('.password input'),
      },
      {
        name: 'needs a link',
        path: `${player}${refused}`,
        answers: { queryWatchAccess: data({ mode: 'signed' }) },
        isSignedOut: true,
        shows: (page) => words(page).filter({ hasText: /link|链接/ }),
      },
      { name: 'wrong address', path: `${player}ftp%3A%2F%2Fa.example%2Fb.flv`, shows: words },
    ],
  },
  {
    id: 'alternate-player',
    source: 'players',
    path: '/tools/xgplayer.html',
    states: [
      { name: 'no address', shows: words },
      { name: 'connecting', path: `/tools/xgplayer.html?url=${flv}`, shows: busy },
    ],
  },
  {
    id: 'srs-player',
    source: 'players',
    path: '/players/srs_player.html',
    states: [{ name: 'filled', shows: addressField }],
  },
  {
    id: 'whep',
    source: 'players',
    path: '/players/whep.html',
    states: [
      { name: 'filled', shows: words },
      { name: 'connecting', path: `/players/whep.html?${rtc}&autostart=true`, shows: busy },
    ],
  },
  {
    id: 'media-console-zh',
    source: 'media-console',
    path: '/console/ng_index.html',
    states: mediaConsole('/console/ng_index.html'),
  },
  {
    id: 'media-console-en',
    source: 'media-console',
    path: '/console/en_index.html',
    states: mediaConsole('/console/en_index.html'),
  },
  {
    id: 'whip',
    source: 'players',
    path: '/players/whip.html',
    states: [
      { name: 'filled', path: `/players/whip.html?${rtc}`, shows: (page) => page.locator('.publisher-head') },
      {
        name: 'no camera',
        path: `/players/whip.html?${rtc}`,
        act: (page) => page.locator('.buttons button').first().click(),
        shows: (page) => page.locator('.message strong').filter({ hasText: /./ }),
      },
      {
        name: 'insecure',
        path: `/players/whip.html?${rtc}`,
        origin: 'http://203.0.113.9:2022',
        shows: (page) => page.locator('.message a').filter({ visible: true }),
      },
    ],
  },
  {
    id: 'guest',
    source: 'players',
    path: '/players/guest.html',
    states: [
      { name: 'filled', path: guestLink, answers: invited('open'), shows: startButton },
      { name: 'not begun', path: guestLink, answers: invited('not-begun'), shows: message },
      { name: 'expired', path: guestLink, answers: invited('expired'), shows: message },
      { name: 'closed', path: guestLink, answers: invited('closed'), shows: message },
      { name: 'incomplete', shows: message },
      { name: 'insecure', path: guestLink, origin: 'http://203.0.113.9:2022', shows: message },
    ],
  },
  { id: 'rtc-player', source: 'players', path: '/players/rtc_player.html', states: [{ name: 'filled', shows: words }] },
  {
    id: 'rtc-publisher',
    source: 'players',
    path: '/players/rtc_publisher.html',
    states: [{ name: 'filled', shows: (page) => page.locator('.publisher-head') }],
  },
];
