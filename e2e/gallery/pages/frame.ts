// What surrounds every page: palette, shortcuts, menus, news about the connection. Shown around the shortest page.
import type { Page } from 'playwright-core';
import type { GalleryPage, TextKey } from '../gallery-page.ts';
import { keys, press, steps } from '../steps.ts';

const typeInPalette = (typed: string) => (page: Page) => page.getByRole('combobox').fill(typed);
const openPalette = press('common:palette.open');
const isThere = (page: Page, text: (key: TextKey) => RegExp) =>
  page.getByRole('button', { name: text('common:palette.open') }).waitFor();

export const framePages: readonly GalleryPage[] = [
  {
    id: 'frame',
    path: 'routers-contact',
    states: [
      { name: 'palette', act: openPalette, shows: 'palette:group.settings' },
      { name: 'palette found', act: steps(openPalette, typeInPalette('rtmp')), shows: 'palette:server' },
      { name: 'palette nothing found', act: steps(openPalette, typeInPalette('zzzz')), shows: 'palette:nothing' },
      { name: 'shortcuts', act: steps(isThere, keys('Shift+Slash')), shows: 'palette:keys.anywhere' },
      { name: 'language menu', act: press('common:language') },
      { name: 'appearance menu', act: press('common:theme.label'), shows: 'common:theme.auto' },
      {
        name: 'offline',
        act: (page) => page.evaluate(loseNetwork),
        shows: 'common:controlPlane.offline',
      },
      { name: 'server restarts', isStale: true, shows: 'common:controlPlane.away' },
    ],
  },
];

/** Runs in the browser: the device is offline, as the browser tells it. */
function loseNetwork(): void {
  Object.defineProperty(navigator, 'onLine', { get: () => false });
  window.dispatchEvent(new Event('offline'));
}
