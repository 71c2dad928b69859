// How a test file is named in tables and reports: project, then path from the checkout.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** @returns e.g. `unit packages/engine/src/hub/timeline.test.ts`. */
export function specificationName({ project, moduleId }: { project: { name: string }; moduleId: string }): string {
  return `${project.name} ${relative(checkout, moduleId)}`;
}
