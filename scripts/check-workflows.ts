// Checks the workflows of the forge against their schema. Run: node scripts/check-workflows.ts
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validateWorkflow } from '@action-validator/core';

const checkout = fileURLToPath(new URL('..', import.meta.url));

/** Returns violations of the schema of workflows, one line each. */
export function workflowProblems(path: string, text: string): string[] {
  return validateWorkflow(text).errors.map((error) => `${path}: ${JSON.stringify(error)}`);
}

if (import.meta.main) {
  const paths = globSync('.github/workflows/*.yml', { cwd: checkout });
  const problems = paths.flatMap((path) => workflowProblems(path, readFileSync(join(checkout, path), 'utf8')));
  for (const problem of problems) console.error(problem);
  if (paths.length === 0) console.error('.github/workflows has no workflow');
  if (paths.length === 0 || problems.length > 0) process.exitCode = 1;
  else console.log(`${paths.length} workflows are valid`);
}
