// Sorts tutorials by views. Tutorials without a view count follow in catalogue order. Pure.
import type { VideoFacts } from '@srs-stack/contract';
import type { Tutorial } from './tutorial-catalogue.ts';

export interface TutorialCardFacts {
  tutorial: Tutorial;
  /** Undefined while loading, and for articles. */
  facts: VideoFacts | undefined;
}

export function sortedTutorials(cards: readonly TutorialCardFacts[]): TutorialCardFacts[] {
  return [...cards].sort((a, b) => (b.facts?.stat.view ?? 0) - (a.facts?.stat.view ?? 0));
}
