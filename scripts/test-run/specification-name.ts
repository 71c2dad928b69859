// Name of a test file in tables and reports: project, path relative to the checkout, and whether it ran in `npm run test:rest`.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inBothTiers } from './test-tiers.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** @returns the path of a test file relative to the checkout. */
export function specificationPath({ moduleId }: { moduleId: string }): string {
  return relative(checkout, moduleId);
}

/**
 * @returns e.g. `unit packages/engine/src/hub/timeline.test.ts`. A file of both tiers gets the suffix `, behind` for its part in `npm run
 * test:rest`, e.g. `e2e e2e/console.test.ts, behind`.
 */
export function specificationName(file: { project: { name: string }; moduleId: string }): string {
  const path = specificationPath(file);
  const isBehind = process.env.TEST_TIER === 'rest' && inBothTiers.includes(path);
  return `${file.project.name} ${path}${isBehind ? ', behind' : ''}`;
}
