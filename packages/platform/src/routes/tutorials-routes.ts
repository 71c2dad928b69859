import type * as calls from '@srs-stack/contract/endpoints/tutorials.ts';
import type { Settings } from '../settings/open-settings.ts';
import type { HandlersOf } from './handlers.ts';

export function tutorialsRoutes({ tutorialVideos }: Settings): HandlersOf<typeof calls> {
  return {
    bilibili: ({ bvid }) => tutorialVideos.facts(bvid),
  };
}
