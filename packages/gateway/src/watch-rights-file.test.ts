import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WatchRightsFile } from './watch-rights-file.ts';

let folder: string;
let file: string;
/** What is told of changes: whether they could be read. */
let told: boolean[];
let rights: WatchRightsFile;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-watch-file-'));
  file = join(folder, 'watching.json');
  told = [];
  rights = new WatchRightsFile({ file, onChange: (isRead) => told.push(isRead), log: pino({ level: 'silent' }) });
});
afterEach(() => {
  rights.close();
  rmSync(folder, { recursive: true });
});

const write = (mode: string, more: object = {}) => {
  const rules = [{ pattern: 'live/x', mode, passwordVersion: '' }];
  writeFileSync(file, JSON.stringify({ rules, keys: [], serverSecret: 's', ...more }));
};
const judged = () =>
  rights.rights?.judge({ app: 'live', stream: 'x', ip: '203.0.113.7', param: '' }, 1_800_000_000_000).kind;

test('without a file all is open, and nobody is told', async () => {
  await rights.start();
  expect([judged(), rights.isWholeVerdict, told]).toEqual(['open', false, []]);
});

test('a first file that cannot be read lets nobody be judged; later ones leave what applied', async () => {
  writeFileSync(file, 'damaged');
  await rights.start();
  expect([judged(), told]).toEqual([undefined, [false]]);
  write('signed');
  await rights.look();
  expect([judged(), told]).toEqual(['refused', [false, true]]);
  writeFileSync(file, 'damaged again');
  await rights.look();
  rmSync(file);
  await rights.look();
  expect([judged(), told]).toEqual(['refused', [false, true, false]]);
});

test('what the file says beside the rules applies with them', async () => {
  write('open', { isWholeVerdict: true, viewerReports: !rights.wantsReports });
  const before = rights.wantsReports;
  await rights.look();
  expect([rights.isWholeVerdict, rights.wantsReports]).toEqual([true, !before]);
});

test('a file that is the same is not read again: the rights stay the same object', async () => {
  write('open');
  await rights.look();
  const { rights: first } = rights;
  await rights.look();
  expect([rights.rights === first, told]).toEqual([true, [true]]);
});

test('all who ask before a look begins share it, and it sees what was written before they asked', async () => {
  write('open');
  const first = rights.look();
  await Promise.resolve();
  write('signed', { isWholeVerdict: true });
  const rush = Array.from({ length: 50 }, () => rights.look());
  expect(new Set(rush).size).toBe(1);
  expect(rush[0]).not.toBe(first);
  await rush[0];
  expect(judged()).toBe('refused');
});

test('a change is seen by itself once the file is watched', async () => {
  write('open');
  await rights.start();
  write('signed', { isWholeVerdict: true });
  await expect.poll(judged).toBe('refused');
});
