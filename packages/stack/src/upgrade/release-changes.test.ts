import { expect, it } from 'vitest';
import { changelogEntries, commitSubjects } from './release-changes.ts';

const changelog = `# Changelog

What operators notice.

## Unreleased

* Not yet.

## 1.2.0

* HLS begins sooner, see
  [the guide](https://example.org/guide).
* **Bold** words.

## 1.1.0

* Older.

## 1.0.0

* Oldest.
`;

it('lists the entries between the installed version and the new one, one line each', () => {
  expect(changelogEntries(changelog, '1.0.0', '1.2.0')).toEqual({
    changes: ['HLS begins sooner, see the guide.', '**Bold** words.', 'Older.'],
    moreChanges: 0,
  });
  expect(changelogEntries(changelog, '1.1.0', '1.1.0').changes).toEqual([]);
  expect(changelogEntries('no headings\n* nothing', '1.0.0', '2.0.0').changes).toEqual([]);
});

it("bounds the remote's text, and removes deceptive characters", () => {
  const many = commitSubjects(Array.from({ length: 60 }, (_, i) => `change ${i}`).join('\n'));
  expect(many.changes).toHaveLength(40);
  expect(many.moreChanges).toBe(20);
  expect(commitSubjects('x'.repeat(1_000)).changes[0]).toHaveLength(300);
  expect(commitSubjects('\u001b[31mred\u001b[0m \u202eturned\u0007').changes).toEqual(['red turned']);
});
