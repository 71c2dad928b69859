import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findInstalledNode } from './right-node.mjs';

let project: string;
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'srs-stack-node-')));
});
afterEach(() => rmSync(project, { recursive: true }));

test('finds the Node that npm installed in its package, with or without a linked command', () => {
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(join(project, 'node_modules', name), { recursive: true });
  writeFileSync(join(project, 'node_modules', name, 'package.json'), '{}');
  const importer = pathToFileURL(join(project, 'bin/start.mjs')).href;
  expect(findInstalledNode(importer)).toBe(join(project, 'node_modules', name, 'bin/node'));
});

test('finds none where npm installed none', () => {
  expect(findInstalledNode(pathToFileURL(join(project, 'bin/start.mjs')).href)).toBeUndefined();
});
