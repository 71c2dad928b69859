import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FileChanges } from './file-changes.ts';

let version: string;
let changed: number;
let versionsRead: number;
let hasClosed: boolean;
let notify: (name: string | null) => void;
let fail: () => void;
let changes: FileChanges | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  version = '1';
  [changed, versionsRead, hasClosed] = [0, 0, false];
});
afterEach(() => {
  changes?.close();
  changes = undefined;
  vi.useRealTimers();
});

const begin = (watchFolder = watchFake) => {
  const versionOf = async () => {
    versionsRead++;
    return version;
  };
  changes = new FileChanges({ file: '/data/config/a.json', onChange: () => void changed++, watchFolder, versionOf });
};
const watchFake = (_folder: string, listener: typeof notify) => {
  notify = listener;
  return {
    on: (_event: 'error', listen: () => void) => {
      fail = listen;
    },
    close: () => {
      hasClosed = true;
    },
  };
};
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);
/** Waits for one check. The first check of a new watcher stores the version of the file, and never counts as a missed event. */
const settled = async () => {
  begin();
  await seconds(5);
  changed = 0;
};

test('checks rarely while nothing changes', async () => {
  begin();
  await seconds(60);
  expect(versionsRead).toBe(12);
  expect(changed).toBe(1);
});

test('reports a kernel event after it has settled', async () => {
  await settled();
  notify('b.json');
  notify('a.json');
  notify('a.json');
  expect(changed).toBe(0);
  await vi.advanceTimersByTimeAsync(20);
  expect(changed).toBe(1);
});

test('finds changes without a kernel event, and after the second stops relying on events', async () => {
  await settled();
  version = '2';
  await seconds(5);
  expect(changed).toBe(1);
  expect(hasClosed).toBe(false);
  version = '3';
  await seconds(5);
  expect(changed).toBe(2);
  expect(hasClosed).toBe(true);
  await seconds(1);
  expect(changed).toBe(6);
});

test('reports changes with kernel events', async () => {
  await settled();
  for (const next of ['2', '3', '4', '5']) {
    version = next;
    notify('a.json');
    await seconds(5);
  }
  expect(hasClosed).toBe(false);
});

test('without watches it checks four times a second', async () => {
  begin(() => {
    throw new Error('ENOSPC: System limit for number of file watchers reached');
  });
  await seconds(1);
  expect(changed).toBe(4);
  expect(versionsRead).toBe(0);
});

test('keeps checking when the watch fails', async () => {
  begin();
  fail();
  expect(hasClosed).toBe(true);
  await seconds(1);
  expect(changed).toBe(4);
});

test('ignores events of the folder itself, such as changed permissions', async () => {
  await settled();
  notify('config');
  await seconds(60);
  expect([changed, hasClosed]).toEqual([0, false]);
});

test('reports nothing after close', async () => {
  await settled();
  notify('a.json');
  changes?.close();
  await seconds(10);
  expect(changed).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('real folder: a file that replaces another', async () => {
  vi.useRealTimers();
  const folder = mkdtempSync(join(tmpdir(), 'srs-changes-'));
  const file = join(folder, 'a.json');
  writeFileSync(file, '1');
  const heard = Promise.withResolvers<void>();
  changes = new FileChanges({ file, onChange: () => heard.resolve() });
  writeFileSync(`${file}.new`, '2');
  renameSync(`${file}.new`, file);
  await heard.promise;
  rmSync(folder, { recursive: true });
});
