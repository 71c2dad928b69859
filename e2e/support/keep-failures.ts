// Set-up file of all end-to-end tests.
// When a test fails, the output of its products and screenshots of its pages are kept in `artifacts/tests/<file>/<test>/`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { artifactsFolder } from '../../scripts/test-run/run-report.ts';
import { evidence } from './evidence.ts';

/** Maximum length of a folder name, characters. Test titles are sentences, but file systems limit names. */
const maxNameLength = 100;

beforeEach(({ task }) => {
  evidence.current = {
    hasFailed: () => task.result?.state === 'fail',
    keep: (name, content) => {
      const folder = join(artifactsFolder, basename(task.file.name, '.test.ts'), fileNameOf(task.name));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), content);
    },
  };
});

afterEach(() => evidence.keepAll());

const fileNameOf = (title: string) => title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, maxNameLength);
