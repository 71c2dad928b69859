import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareDataFolder } from './preflight.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-preflight-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('creates a missing data folder', () => {
  prepareDataFolder(join(folder, 'a/b'));
  expect(existsSync(join(folder, 'a/b/config'))).toBe(true);
});

test('a data folder that cannot be created is refused with its path', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => prepareDataFolder(join(folder, 'file/data'))).toThrow(
    new StartRefusal(
      `The data folder ${folder}/file/data cannot be written (ENOTDIR). Make it writable or set DATA_DIR to another folder.`,
    ),
  );
});
