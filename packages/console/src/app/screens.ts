// Every screen, and the texts that it needs. The code of a screen is fetched when the screen is opened.

import type { Screen } from '../navigation/paths.ts';
import { lazyScreen } from '../shared/lazy-screen.ts';

export const screenComponents = {
  setup: lazyScreen(() => import('../features/setup/setup-page.tsx'), ['setup']),
  login: lazyScreen(() => import('../features/login/login-page.tsx'), ['login']),
  logout: lazyScreen(() => import('../features/logout/logout-page.tsx'), ['logout']),
  scenario: lazyScreen(() => import('./scenario/scenario-route.tsx'), ['scenario']),
  settings: lazyScreen(() => import('./settings/settings-route.tsx'), ['settings']),
  components: lazyScreen(() => import('../features/components/components-page.tsx'), ['components']),
  dashboard: lazyScreen(
    () => import('../features/dashboard/dashboard-page.tsx'),
    ['dashboard', 'worker', 'bucket', 'errors'],
  ),
  streams: lazyScreen(() => import('../features/streams/streams-page.tsx'), ['streams', 'stream-health', 'errors']),
  rooms: lazyScreen(() => import('../features/live-rooms/live-rooms-page.tsx'), ['live-rooms', 'streams']),
  contact: lazyScreen(() => import('../features/contact/contact-page.tsx'), ['contact']),
} satisfies Record<Screen, unknown>;

/** The frame around every screen after login. */
export const ConsoleShell = lazyScreen(() => import('./shell/console-shell.tsx'), ['errors']);
