// Name of a test file in tables and reports: project, then path from the checkout, and whether it ran in `npm run test:rest`.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inBothTiers } from './test-tiers.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** @returns the path of a test file from the checkout. */
export function specificationPath({ moduleId }: { moduleId: string }): string {
  return relative(checkout, moduleId);
}

/**
 * @returns e.g. `unit packages/engine/src/hub/timeline.test.ts`; `e2e e2e/console.test.ts, behind` for the part of a file of both tiers
 * that runs in `npm run test:rest`.
 */
export function specificationName(file: { project: { name: string }; moduleId: string }): string {
  const path = specificationPath(file);
  const isBehind = process.env.TEST_TIER === 'rest' && inBothTiers.includes(path);
  return `${file.project.name} ${path}${isBehind ? ', behind' : ''}`;
}
