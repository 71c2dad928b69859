import { expect, it } from 'vitest';
import { compareVersions, readReferences } from './version-tags.ts';

const commit = 'a'.repeat(40);
const tags = (...names: string[]) => names.map((name) => `${commit}\trefs/tags/${name}`).join('\n');

it('selects the newest version, compared as numbers', () => {
  expect(readReferences(tags('v0.9.0', 'v0.10.0', 'v0.2.11')).newestVersion).toBe('0.10.0');
});

it('ignores tags that are not versions: a hostile name is never used', () => {
  const hostile = [
    'v9.9.9-rc1',
    'v9.9',
    '9.9.9',
    'v9.9.9/../../x',
    'v9.9.9^{}',
    '--upload-pack=touch',
    'v9.9.9 ',
    'v01.2.3',
    'v1234567.0.0',
    'v9.9.9\u0000',
  ];
  expect(readReferences(tags(...hostile))).toEqual({ newestVersion: undefined, hasMainBranch: false });
  expect(readReferences(`nonsense\trefs/tags/v2.0.0\n${tags('v1.0.0')}\n`).newestVersion).toBe('1.0.0');
});

it('distinguishes the main branch from others', () => {
  expect(readReferences(`${commit}\trefs/heads/main`).hasMainBranch).toBe(true);
  expect(readReferences(`${commit}\trefs/heads/main-2`).hasMainBranch).toBe(false);
});

it('compares versions', () => {
  expect(compareVersions('1.2.3', '1.2.3')).toBe(0);
  expect(compareVersions('1.2.3', '1.10.0')).toBeLessThan(0);
  expect(compareVersions('2.0.0', '1.99.99')).toBeGreaterThan(0);
  expect(compareVersions('1.2.3-dev', '1.2.3')).toBe(0);
});
