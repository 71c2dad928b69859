import type { PushTarget } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import {
  addedPlatforms,
  defaultOpenItem,
  inPageOrder,
  itemOfPlatform,
  newPlatformKey,
  presetOfTarget,
  targetName,
} from './push-targets.ts';

const target = (platform: string, change: Partial<PushTarget> = {}): PushTarget => ({
  platform,
  server: 'rtmp://a/live/',
  secret: 'key',
  enabled: false,
  custom: false,
  label: '',
  ...change,
});
const all = (...targets: PushTarget[]) => Object.fromEntries(targets.map((entry) => [entry.platform, entry]));

test.each([
  ['nothing saved', all(), '1'],
  ['the first done', all(target('wx')), '2'],
  ['the first two done', all(target('wx'), target('bilibili')), '3'],
  ['all done', all(target('wx'), target('bilibili'), target('kuaishou')), '3'],
  ['only the second done', all(target('bilibili')), '1'],
  ['the first without a key', all(target('wx', { secret: '' })), '1'],
  ['the first without a server', all(target('wx', { server: '' }), target('bilibili')), '1'],
  ['the second without a key', all(target('wx'), target('bilibili', { secret: '' })), '2'],
  ['one enabled', all(target('wx', { enabled: true, secret: '' })), '99'],
  ['only an added one enabled', all(target('forwarding-a', { enabled: true })), '99'],
  ['only an added one saved', all(target('forwarding-a')), '1'],
])('default open item with %s', (_name, targets, item) => {
  expect(defaultOpenItem(targets)).toBe(item);
});

test('built-in platforms are items 1 to 3; added ones follow in the order of adding', () => {
  expect(['wx', 'bilibili', 'kuaishou', 'forwarding-x'].map(itemOfPlatform)).toEqual(['1', '2', '3', 'forwarding-x']);
  const keys = [1_700_000_000_000, 1_700_000_000_001, 1_800_000_000_000].map((now) =>
    newPlatformKey('forwarding-', now, () => 0.5),
  );
  expect(addedPlatforms(all(...[...keys].reverse().map((key) => target(key)), target('wx')))).toEqual(keys);
  expect(newPlatformKey('vlive-', 1_700_000_000_000, () => 0)).toMatch(/^vlive-[0-9a-z]+-0000$/);
});

test('a target is named by its label, else by its platform', () => {
  expect(targetName(target('wx'), 'en')).toBe('YouTube');
  expect(targetName(target('wx'), 'zh')).toBe('视频号');
  expect(targetName(target('wx', { label: ' Church ' }), 'en')).toBe('Church');
  expect(targetName(target('wx', { custom: true }), 'en')).toBe('');
  expect(targetName(target('forwarding-a'), 'en')).toBe('');
});

test('a custom target has the logo of the platform its address belongs to', () => {
  expect(presetOfTarget(target('wx'), 'en')?.name).toBe('YouTube');
  expect(presetOfTarget(target('wx', { custom: true }), 'en')).toBeUndefined();
  expect(presetOfTarget(target('forwarding-a', { server: 'rtmp://live.twitch.tv/app' }), 'en')?.name).toBe('Twitch');
});

test('rows follow the order of the page: the three platforms, then added ones in the order of their addition', () => {
  const rows = ['forwarding-b', 'kuaishou', 'forwarding-a', 'wx', 'bilibili'].map((platform) => ({ platform }));
  const ordered = inPageOrder(rows).map(({ platform }) => platform);
  expect(ordered).toEqual(['wx', 'bilibili', 'kuaishou', 'forwarding-a', 'forwarding-b']);
});
