// Every page of the console and its states. A new page needs one entry; a route without an entry fails the test.
import type { GalleryArea } from './gallery-page.ts';
import { cloudPages } from './pages/cloud.ts';
import { entryPages } from './pages/entry.ts';
import { framePages } from './pages/frame.ts';
import { livePages } from './pages/live.ts';
import { operationPages } from './pages/operations.ts';
import { playerPages } from './pages/players.ts';
import { scenarioPages } from './pages/scenarios.ts';
import { settingsPages } from './pages/settings.ts';

export const galleryAreas: readonly GalleryArea[] = [
  { title: 'Getting in', pages: entryPages },
  { title: 'Around every page', pages: framePages },
  { title: 'Watching', pages: livePages },
  { title: 'Scenarios', pages: scenarioPages },
  { title: 'Cloud recording', pages: cloudPages },
  { title: 'Settings', pages: settingsPages },
  { title: 'Operations', pages: operationPages },
  { title: 'Players and publishers', pages: playerPages },
];
