// `config/front.json`: settings of the public web server, and protocols that are switched off. The gateway watches this file: a change
// applies immediately and survives a restart.
import { readFile } from 'node:fs/promises';
import type { FrontSettings } from '@srs-stack/contract/wire/front-settings.ts';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';

const ownerOnly = 0o600;

export interface FrontFile {
  /** Replaces a part of the settings. Writes the file only on a change. */
  write(part: Partial<FrontSettings>): Promise<void>;
}

export function createFrontFile(path: string, initial: FrontSettings): FrontFile {
  let settings = initial;
  const oneAtATime = createOneAtATime();
  return {
    write: (part) =>
      oneAtATime(async () => {
        const next = { ...settings, ...part };
        const text = `${JSON.stringify(next, null, 2)}\n`;
        if ((await readFile(path, 'utf8').catch(() => '')) !== text) await writeFileAtomically(path, text, ownerOnly);
        settings = next;
      }),
  };
}
