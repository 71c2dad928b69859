// `config/front.json`: what the gateway needs to know of the settings of the public web server and of switched-off protocols.
// The gateway looks at the file a few times per second, so a change applies at once and survives every restart.
import { readFile } from 'node:fs/promises';
import type { FrontSettings } from '@srs-stack/contract/wire/front-settings.ts';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';

const ownerOnly = 0o600;

export interface FrontFile {
  /** Replaces a part; the file is written when that changes it. */
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
