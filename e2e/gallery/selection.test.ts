import { supportedLocales } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { type GalleryPage, statesOf } from './gallery-page.ts';
import { galleryAreas } from './pages.ts';
import { halfOf, type Scope, scopeOfRun, selectStates } from './selection.ts';

const pages = galleryAreas.flatMap((area) => area.pages);

/** All states that a run judges, as `page, state, language`. */
function judgedBy(scope: Scope, half: number, reached: ReadonlySet<string> = new Set()): Set<string> {
  const statesIn = selectStates(scope, new Set(), reached, half);
  const named = (page: GalleryPage, place: number) =>
    supportedLocales.flatMap((locale) =>
      statesIn(page, place, locale).map(({ name }) => `${page.id}, ${name}, ${locale}`),
    );
  return new Set(pages.flatMap(named));
}

test('the halves of two commits are all there is to judge, and each is a good deal less', () => {
  const whole = judgedBy('judged', 0);
  const halves = [judgedBy('half', 0), judgedBy('half', 1)] as const;
  expect(new Set(halves.flatMap((half) => [...half]))).toEqual(whole);
  for (const half of halves) expect(half.size).toBeLessThan(whole.size * 0.7);
});

test('filled pages are judged by each half, and every state of a page that the last change can have touched', () => {
  const [page] = pages.toSorted((a, b) => statesOf(b).length - statesOf(a).length);
  for (const half of [0, 1]) {
    const judged = judgedBy('half', half, new Set([page!.id]));
    const filled = [...judgedBy('judged', half)].filter((state) => /, filled, /.test(state));
    expect(filled.filter((state) => !judged.has(state))).toEqual([]);
    const ofPage = [...judgedBy('judged', half)].filter((state) => state.startsWith(`${page!.id}, `));
    expect(ofPage.filter((state) => !judged.has(state))).toEqual([]);
  }
});

test('the half is that of the commit; without one it is the first', () => {
  expect(['', '0', 'a2', 'a3', 'bf'].map(halfOf)).toEqual([0, 0, 0, 1, 1]);
});

test('every state is judged where that is asked for', () => {
  expect(scopeOfRun({ TEST_TIER: 'rest' })).toBe('half');
  expect(scopeOfRun({ TEST_TIER: 'rest', GALLERY: 'judged' })).toBe('judged');
  expect(scopeOfRun({})).toBe('sample');
});
