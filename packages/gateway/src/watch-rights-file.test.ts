import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchRightsFile } from './watch-rights-file.ts';

let folder: string;
let file: string;
/** One entry per reported change: whether the file was readable. */
let changes: boolean[];
let rights: ReturnType<typeof watchRightsFile>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-watch-file-'));
  file = join(folder, 'watching.json');
  changes = [];
  rights = watchRightsFile({ file, onChange: (isRead) => changes.push(isRead), log: pino({ level: 'silent' }) });
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
  rights.current().rights?.judge({ app: 'live', stream: 'x', ip: '203.0.113.7', param: '' }, 1_800_000_000_000).kind;

test('without a file all streams are open, and no change is reported', async () => {
  await rights.start();
  expect([judged(), rights.current().isWholeVerdict, changes]).toEqual(['open', false, []]);
});

test('no viewer is admitted when the first file is unreadable; later unreadable ones keep the previous rules', async () => {
  writeFileSync(file, 'damaged');
  await rights.start();
  expect([judged(), changes]).toEqual([undefined, [false]]);
  write('signed');
  await rights.look();
  expect([judged(), changes]).toEqual(['refused', [false, true]]);
  writeFileSync(file, 'damaged again');
  await rights.look();
  rmSync(file);
  await rights.look();
  expect([judged(), changes]).toEqual(['refused', [false, true, false]]);
});

test('applies other settings of the file with the rules', async () => {
  write('open', { isWholeVerdict: true, viewerReports: !rights.current().isReportingOn });
  const before = rights.current().isReportingOn;
  await rights.look();
  expect([rights.current().isWholeVerdict, rights.current().isReportingOn]).toEqual([true, !before]);
});

test('an unchanged file is not read again: the rules stay the same object', async () => {
  write('open');
  await rights.look();
  const first = rights.current();
  await rights.look();
  expect([rights.current() === first, changes]).toEqual([true, [true]]);
});

test('requests made before a check starts share it, and the check detects earlier writes', async () => {
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

test('detects a change once the file is watched', async () => {
  write('open');
  await rights.start();
  write('signed', { isWholeVerdict: true });
  await expect.poll(judged).toBe('refused');
});
