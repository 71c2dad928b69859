// Parts around every page: palette, shortcuts, menus, connection status. Shown around the shortest page.
import type { Page } from 'playwright-core';
import { data, type GalleryPage, type TextKey } from '../gallery-page.ts';
import { engineAway } from '../samples/monitor.ts';
import { keys, press, steps } from '../steps.ts';

const typeInPalette = (typed: string) => (page: Page) => page.getByRole('combobox').fill(typed);
const openPalette = press('common:palette.open');
const copyServer = (page: Page, text: (key: TextKey) => RegExp) =>
  page
    .getByRole('option', { name: text('palette:server') })
    .first()
    .click();
const isThere = (page: Page, text: (key: TextKey) => RegExp) =>
  page.getByRole('button', { name: text('common:palette.open') }).waitFor();

export const framePages: readonly GalleryPage[] = [
  {
    id: 'frame',
    source: 'app/shell',
    path: 'routers-contact',
    states: [
      { name: 'palette', act: openPalette, shows: 'palette:group.settings' },
      { name: 'palette found', act: steps(openPalette, typeInPalette('rtmp')), shows: 'palette:server' },
      { name: 'palette nothing found', act: steps(openPalette, typeInPalette('zzzz')), shows: 'palette:nothing' },
      { name: 'shortcuts', act: steps(isThere, keys('Shift+Slash')), shows: 'palette:keys.anywhere' },
      { name: 'language menu', act: press('common:language'), shows: (page) => page.getByRole('menuitemradio') },
      { name: 'appearance menu', act: press('common:theme.label'), shows: (page) => page.getByRole('menuitemradio') },
      {
        name: 'offline',
        act: (page) => page.evaluate(loseNetwork),
        shows: 'common:controlPlane.offline',
      },
      {
        name: 'copied',
        act: steps(openPalette, typeInPalette('rtmp'), copyServer),
        shows: 'common:copy.done',
      },
      {
        name: 'copying failed',
        act: steps((page) => page.evaluate(refuseClipboard), openPalette, typeInPalette('rtmp'), copyServer),
        shows: 'common:copy.failed',
      },
      {
        name: 'upgraded',
        act: (page) => page.evaluate(reloadAsUpgraded),
        shows: 'common:upgraded',
      },
      { name: 'media server away', answers: { queryMonitor: data(engineAway) }, shows: 'common:strip.engine.away' },
      { name: 'server restarts', isStale: true, shows: 'common:controlPlane.away' },
    ],
  },
];

/** Runs in the browser: reports the device as offline. */
function loseNetwork(): void {
  Object.defineProperty(navigator, 'onLine', { get: () => false });
  window.dispatchEvent(new Event('offline'));
}

/** Runs in the browser: the clipboard refuses every copy. */
function refuseClipboard(): void {
  Object.defineProperty(navigator, 'clipboard', { value: undefined });
  document.execCommand = () => false;
}

/** Runs in the browser: code of the old build is missing, as after an upgrade. */
function reloadAsUpgraded(): void {
  window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }));
}
