// The appearance of the watch page: calls for texts and images, and the file for the gateways.
import { execFileSync } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestPlatform, type TestPlatform } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
});
afterEach(() => platform.dispose());

const inFile = async () => JSON.parse(await readFile(join(platform.dataDir, 'config', 'watch-page.json'), 'utf8'));
const picturePath = (name: string) => join(platform.dataDir, 'watch-pictures', name);
const query = async () => (await platform.call('queryWatchPages')).body.data;
const set = (looks: object[], revision?: string) =>
  platform.call('updateWatchPages', { looks, ...(revision && { revision }) });
const upload = (file: Buffer, use: string) =>
  platform.call('uploadWatchPicture', { use, data: file.toString('base64') });
const png = () => {
  const args =
    '-v error -f lavfi -i color=teal:s=1600x900 -frames:v 1 -metadata comment=secret -f image2pipe -c:v png -';
  return execFileSync('ffmpeg', args.split(' '));
};
const plain = { name: '', text: '', picture: '', logo: '', accent: '', theme: '', audience: '', startsAt: '' };

it('entries are stored, returned with the most specific first, and written for the gateways', async () => {
  expect(await query()).toMatchObject({ looks: [] });
  await set([
    { pattern: '*', name: 'Our TV' },
    { pattern: 'live/show', accent: '#c0392b', startsAt: '2027-01-01T20:00:00+08:00' },
  ]);
  platform = await platform.reopen();
  const looks = [
    { ...plain, pattern: 'live/show', accent: '#c0392b', startsAt: '2027-01-01T20:00:00+08:00' },
    { ...plain, pattern: '*', name: 'Our TV' },
  ];
  expect((await query()).looks).toEqual(looks);
  expect(await inFile()).toEqual({ looks });
});

it.each([
  ['a colour that is a style', { accent: 'red;background:url(x)' }],
  ['an image name that is a path', { picture: '../../config/.env' }],
  ['an image that was not uploaded', { picture: `${'a'.repeat(32)}.jpg` }],
  ['an invalid time', { startsAt: 'tomorrow' }],
  ['an invalid pattern', { pattern: 'live' }],
])('%s is refused', async (_case, part) => {
  const { status, body } = await set([{ pattern: 'live/*', ...part }]);
  expect([status, body.data.name]).toEqual([400, 'invalidRequest']);
  expect((await query()).looks).toEqual([]);
});

it('one pattern has one entry, and a second operator gets a conflict', async () => {
  expect((await set([{ pattern: 'live/*' }, { pattern: 'live/*' }])).body.data.name).toBe('invalidRequest');
  const { revision } = await query();
  await set([{ pattern: 'live/*', name: 'A' }], revision);
  expect((await set([{ pattern: 'live/*', name: 'B' }], revision)).body.data.name).toBe('settingsChanged');
});

it('an image is encoded again, smaller and without its comment, and restored where it is missing', async () => {
  const { name, path } = (await upload(png(), 'picture')).body.data;
  expect(path).toBe(`/watch/pictures/${name}`);
  const bytes = await readFile(picturePath(name));
  expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  expect(bytes.includes('secret')).toBe(false);
  expect((await stat(picturePath(name))).mode & 0o777).toBe(0o600);
  const logo = (await upload(png(), 'logo')).body.data.name;
  expect((await readFile(picturePath(logo))).readUInt32BE(16)).toBe(256);
  await set([{ pattern: '*', picture: name, logo }]);
  await rm(picturePath(name));
  platform = await platform.reopen();
  expect(await readFile(picturePath(name))).toEqual(bytes);
});

it.each([
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
  ['nothing', Buffer.alloc(0)],
  ['a truncated PNG', png().subarray(0, 60)],
])('%s is not an image', async (_case, file) => {
  expect((await upload(file, 'picture')).body.data.name).toBe('watermarkUnusable');
});
