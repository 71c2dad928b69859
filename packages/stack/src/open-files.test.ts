import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { firstFreeFile, roomForFiles } from './open-files.ts';

const hasTables = process.platform === 'linux';
const openFiles = 1_500;

test.runIf(hasTables)('preallocates the open file table of a child, with only one open file in it', async () => {
  const room = roomForFiles(openFiles);
  const child = spawn('sleep', ['60'], { stdio: ['ignore', 'pipe', 'pipe', 'ipc', ...room] });
  try {
    await once(child, 'spawn');
    const [, size] = /^FDSize:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    expect(Number(size)).toBeGreaterThanOrEqual(openFiles);
    expect(room.filter((file) => file !== 'ignore')).toEqual([2]);
    const open = readdirSync(`/proc/${child.pid}/fd`).map(Number);
    expect(open).toContain(openFiles - 1);
    expect(open).not.toContain(openFiles - 2);
  } finally {
    child.kill('SIGKILL');
  }
});

test('a process with a lower limit is started normally', () => {
  expect(roomForFiles(openFiles, openFiles - 1)).toEqual([]);
  expect(roomForFiles(openFiles, 0)).toEqual([]);
  expect(roomForFiles(0)).toEqual([]);
});

test('allows exactly that many open files', () => {
  expect(roomForFiles(openFiles, openFiles)).toHaveLength(openFiles - firstFreeFile);
});
