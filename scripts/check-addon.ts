// Checks that the prebuilt files of the addon match its sources. Run: node scripts/check-addon.ts
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilers, digestFile, prebuilt, sourcesDigest } from './rtc/build-addon.ts';

const remedy = 'run: node scripts/rtc/build-addon.ts';

/** Returns error messages. @param recorded digest of the sources from which the files were built; undefined if it was not recorded. */
export function addonProblems(recorded: string | undefined, digest: string, missing: readonly string[]): string[] {
  const stale = recorded?.trim() !== digest;
  return [
    ...missing.map((name) => `packages/rtc/prebuilt/${name} is missing, ${remedy}`),
    ...(stale ? [`packages/rtc/native has changed since packages/rtc/prebuilt was built, ${remedy}`] : []),
  ];
}

if (import.meta.main) {
  const files = Object.keys(compilers).map((platform) => `${platform}.node`);
  const missing = files.filter((name) => !existsSync(join(prebuilt, name)));
  const recorded = existsSync(digestFile) ? readFileSync(digestFile, 'utf8') : undefined;
  const problems = addonProblems(recorded, sourcesDigest(), missing);
  for (const problem of problems) console.error(problem);
  if (problems.length === 0) console.log(`${files.length} built files of the addon are current`);
  else process.exitCode = 1;
}
