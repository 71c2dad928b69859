import { supportedLocales } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { type GalleryPage, statesOf } from './gallery-page.ts';
import { galleryAreas } from './pages.ts';
import { type Scope, scopeOfRun, selectStates, shareOf, shares } from './selection.ts';

const pages = galleryAreas.flatMap((area) => area.pages);

function judgedBy(scope: Scope, share: number, reached: ReadonlySet<string> = new Set()): Set<string> {
  const statesIn = selectStates(scope, new Set(), reached, share);
  const named = (page: GalleryPage, place: number) =>
    supportedLocales.flatMap((locale) =>
      statesIn(page, place, locale).map(({ name }) => `${page.id}, ${name}, ${locale}`),
    );
  return new Set(pages.flatMap(named));
}

const allShares = Array.from({ length: shares }, (_, share) => share);

test('the shares of four commits contain all states, and each is much smaller than all', () => {
  const whole = judgedBy('judged', 0);
  const judged = allShares.map((share) => judgedBy('share', share));
  expect(new Set(judged.flatMap((states) => [...states]))).toEqual(whole);
  for (const states of judged) expect(states.size).toBeLessThan(whole.size * 0.55);
});

test('each share contains the filled pages, and every state of a page that the last change can affect', () => {
  const [page] = pages.toSorted((a, b) => statesOf(b).length - statesOf(a).length);
  for (const share of allShares) {
    const judged = judgedBy('share', share, new Set([page!.id]));
    const filled = [...judgedBy('judged', share)].filter((state) => /, filled, /.test(state));
    expect(filled.filter((state) => !judged.has(state))).toEqual([]);
    const ofPage = [...judgedBy('judged', share)].filter((state) => state.startsWith(`${page!.id}, `));
    expect(ofPage.filter((state) => !judged.has(state))).toEqual([]);
  }
});

test('the share depends on the commit; without one it is the first', () => {
  expect(['', '0', 'a2', 'a5', 'bf'].map(shareOf)).toEqual([0, 0, 2, 1, 3]);
});

test('every state is checked on request', () => {
  expect(scopeOfRun({ TEST_TIER: 'rest' })).toBe('share');
  expect(scopeOfRun({ TEST_TIER: 'rest', GALLERY: 'judged' })).toBe('judged');
  expect(scopeOfRun({})).toBe('sample');
});
