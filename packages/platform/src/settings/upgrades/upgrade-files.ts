// Files written by the supervisor: installed release, result of update checks, and progress. Missing and invalid files are ignored, because
// another release may have written them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FoundReleases,
  foundReleases,
  type Installation,
  installation,
  type UpgradeProgress,
  type UpgradeResult,
  upgradeProgress,
  upgradeResult,
} from '@srs-stack/contract';
import { z } from 'zod';

export interface UpgradeFiles {
  installation(): Promise<Installation | null>;
  found(): Promise<FoundReleases | null>;
  progress(): Promise<UpgradeProgress | null>;
  result(): Promise<UpgradeResult | null>;
}

export function createUpgradeFiles(dataDir: string): UpgradeFiles {
  const releases = join(dataDir, 'releases');
  const state = z.object({ result: upgradeResult.nullable() });
  return {
    installation: () => readAs(installation, join(dataDir, 'run', 'installation.json')),
    found: () => readAs(foundReleases, join(releases, 'found.json')),
    progress: () => readAs(upgradeProgress, join(releases, 'progress.json')),
    result: async () => (await readAs(state, join(releases, 'state.json')))?.result ?? null,
  };
}

async function readAs<Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.output<Schema> | null> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}
