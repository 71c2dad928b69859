// Checks the files for a public forge (`.github/`): the workflows are valid, and all referenced files exist.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { workflowProblems } from './check-workflows.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(checkout, path), 'utf8');
const workflows = globSync('.github/workflows/*.yml', { cwd: checkout });
const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);

describe.each(workflows)('%s', (path) => {
  test('is valid', () => {
    expect(workflowProblems(path, read(path))).toEqual([]);
  });

  test('is rejected with a planted error', () => {
    expect(workflowProblems(path, read(path).replace('runs-on:', 'runs-at:'))[0]).toContain(path);
  });

  test('runs only scripts and files of the checkout', () => {
    const text = read(path);
    for (const [, name] of text.matchAll(/npm run ([\w:-]+)/g)) expect(scripts).toContain(name);
    for (const [, file] of text.matchAll(/(?:bash|file:|uses: \.\/) ?(\.?[\w./-]+)/g)) {
      expect(existsSync(join(checkout, file!)), file).toBe(true);
    }
  });

  test('grants its token only the listed permissions', () => {
    expect(parse(read(path))).toMatchObject({ permissions: { contents: 'read' } });
  });
});

test('the pull request workflow runs the same as other continuous integration', () => {
  expect(read('.github/workflows/test.yml')).toContain('bash .ci/run');
});

test('the workflow for the newer Node starts the tests directly, because npm would use the Node of the checkout', () => {
  const { jobs } = parse(read('.github/workflows/test.yml')) as { jobs: Record<string, { steps: { run?: string }[] }> };
  const runs = jobs['newer-node']!.steps.map(({ run }) => run);
  expect(runs).toContain('node scripts/run-tests.ts');
  expect(existsSync(join(checkout, 'scripts/run-tests.ts'))).toBe(true);
});

test('issue forms have the fields that the forge requires: name, description, unique identifiers', () => {
  for (const path of globSync('.github/ISSUE_TEMPLATE/!(config).yml', { cwd: checkout })) {
    const form = parse(read(path)) as {
      name: string;
      description: string;
      body: { type: string; id: string; attributes: { label: string } }[];
    };
    expect(form.name && form.description, path).toBeTruthy();
    expect(new Set(form.body.map(({ id }) => id)).size, path).toBe(form.body.length);
    for (const { type, attributes } of form.body) {
      expect(['input', 'textarea', 'dropdown', 'checkboxes', 'markdown']).toContain(type);
      expect(attributes.label).toBeTruthy();
    }
  }
});

test('code owners have existing paths', () => {
  const rules = read('.github/CODEOWNERS')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  for (const rule of rules) {
    const [path, ...owners] = rule.split(/\s+/);
    expect(owners.length, rule).toBeGreaterThan(0);
    if (path !== '*') expect(existsSync(join(checkout, path!)), rule).toBe(true);
  }
});

test('dependency updates cover the folders with manifests', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string; directory: string }[];
  };
  const manifests: Record<string, string> = {
    npm: 'package.json',
    docker: 'Dockerfile',
    'github-actions': '.github/workflows',
  };
  for (const update of updates) {
    expect(existsSync(join(checkout, update.directory, manifests[update['package-ecosystem']]!))).toBe(true);
  }
});
