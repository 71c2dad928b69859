import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { expect, test } from 'vitest';
import { ensurePrograms, ffmpeg, isRecentFfmpeg } from './system-programs.ts';

test.each([
  ['ffmpeg version 5.1.6-0+deb12u1 Copyright (c) 2000-2024 the FFmpeg developers', true],
  ['ffprobe version 7.0 Copyright', true],
  ['ffmpeg version n6.1.1 Copyright', true],
  ['ffmpeg version N-110072-g073ec3b9da Copyright', true],
  ['ffmpeg version 5.0.3 Copyright', false],
  ['ffmpeg version 4.4.2-0ubuntu0.22.04.1 Copyright', false],
  ['', false],
])('"%s" counts as recent: %s', (line, expected) => {
  expect(isRecentFfmpeg(line)).toBe(expected);
});

test('prints and installs nothing when all programs exist', async () => {
  const messages: string[] = [];
  await ensurePrograms([ffmpeg], { say: (line) => messages.push(line), retryCommand: 'npm start' });
  expect(messages).toEqual([]);
});

test('a program that cannot be installed is not required while an alternative exists', async () => {
  let hasSubstitute = true;
  const better = { title: 'Better 1.0', packages: [], isPresent: () => false, hasSubstitute: () => hasSubstitute };
  const ensure = () => ensurePrograms([better], { say: () => undefined, retryCommand: 'npm test' });
  await expect(ensure()).resolves.toBeUndefined();
  hasSubstitute = false;
  await expect(ensure()).rejects.toThrow(/^Better 1\.0 not found/);
});

test('a program that no package contains is refused with the command to run', async () => {
  const missing = { title: 'Nothing 1.0', packages: [], isPresent: () => false };
  const attempt = ensurePrograms([missing], { say: () => undefined, retryCommand: 'npm start' });
  await expect(attempt).rejects.toThrow(StartRefusal);
  await expect(attempt).rejects.toThrow(/^Nothing 1\.0 not found\. Install with: .*, then run npm start again\.$/);
});
