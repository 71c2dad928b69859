// How a test file is named in tables and reports: project, then path from the checkout, and whether it ran at full length.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** @returns the path of a test file from the checkout. */
export function specificationPath({ moduleId }: { moduleId: string }): string {
  return relative(checkout, moduleId);
}

/** @returns e.g. `unit packages/engine/src/hub/timeline.test.ts`; `e2e e2e/monitor.test.ts, whole` in `npm run test:rest`. */
export function specificationName(file: { project: { name: string }; moduleId: string }): string {
  const name = `${file.project.name} ${specificationPath(file)}`;
  return process.env.TEST_TIER === 'rest' ? `${name}, whole` : name;
}
