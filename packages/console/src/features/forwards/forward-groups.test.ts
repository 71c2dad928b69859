import { expect, test } from 'vitest';
import { countsOf, groupsOf } from './forward-groups.ts';

const targets = {
  wx: { enabled: true },
  'forwarding-1': { enabled: true, group: 'Monday' },
  'forwarding-2': { enabled: false, group: 'Monday' },
  'forwarding-3': { enabled: false, group: 'Fair' },
  'forwarding-4': { enabled: true, group: '' },
};

test('groups by name, with the number of enabled targets of each', () => {
  expect(countsOf(targets)).toEqual({ count: 5, enabled: 3 });
  expect(groupsOf(targets)).toEqual([
    { name: 'Fair', count: 1, enabled: 0 },
    { name: 'Monday', count: 2, enabled: 1 },
  ]);
  expect(groupsOf({})).toEqual([]);
});
