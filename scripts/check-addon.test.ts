import { expect, it } from 'vitest';
import { addonProblems } from './check-addon.ts';

const digest = 'ab'.repeat(32);

it('accepts files that were built from these sources', () => {
  expect(addonProblems(`${digest}\n`, digest, [])).toEqual([]);
});

it.each([['cd'.repeat(32)], [''], [undefined]])('reports sources that changed without a build (%s)', (recorded) => {
  expect(addonProblems(recorded, digest, [])).toEqual([
    'packages/rtc/native has changed since packages/rtc/prebuilt was built, run: node scripts/rtc/build-addon.ts',
  ]);
});

it('reports a file that was not built', () => {
  expect(addonProblems(digest, digest, ['linux-arm64.node'])).toEqual([
    'packages/rtc/prebuilt/linux-arm64.node is missing, run: node scripts/rtc/build-addon.ts',
  ]);
});
