import { expect, test } from 'vitest';
import { cutChangelog, sectionOf } from './changelog.ts';

const changelog = `# Changelog

## Unreleased

### Added

* A thing.

## 1.0.0 - 2026-01-02

### Fixed

* Another thing.

## 0.1.0

First.
`;

test('moves the unreleased entries into a dated section of the version', () => {
  const cut = cutChangelog(changelog, '1.1.0', '2026-02-03');
  expect(cut).toContain('## Unreleased\n\n## 1.1.0 - 2026-02-03\n\n### Added\n\n* A thing.\n\n## 1.0.0');
  expect(sectionOf(cut, '1.1.0')).toBe('### Added\n\n* A thing.');
});

test('reads only the section of the requested version, with or without a date', () => {
  expect(sectionOf(changelog, '1.0.0')).toBe('### Fixed\n\n* Another thing.');
  expect(sectionOf(changelog, '0.1.0')).toBe('First.');
  expect(sectionOf(changelog, '1.0')).toBeUndefined();
  expect(sectionOf(changelog, '1x0.0')).toBeUndefined();
});

test.each([
  ['no section for unreleased changes', '# Changelog\n', /no section/],
  ['nothing to release', '# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n* First.\n', /nothing to release/],
  ['a version that has a section', changelog.replace('1.0.0', '1.1.0'), /already/],
])('refuses a changelog with %s', (_, text, message) => {
  expect(() => cutChangelog(text, '1.1.0', '2026-02-03')).toThrow(message);
});
