// The npm scripts of all workspaces run TypeScript through `start.mjs`, because `node` may be too old.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const manifests = globSync(['package.json', 'bench/package.json', 'packages/*/package.json'], { cwd: checkout });
const scripts = manifests.flatMap((manifest) => {
  const { scripts: commands = {} } = JSON.parse(readFileSync(join(checkout, manifest), 'utf8')) as {
    scripts?: Record<string, string>;
  };
  return Object.entries(commands)
    .filter(([, command]) => /\bnode /.test(command))
    .map(([name, command]) => ({ script: `${manifest} ${name}`, folder: dirname(manifest), command }));
});

test.each(scripts)('$script starts through start.mjs', ({ folder, command }) => {
  const [, starter, file] = /^(?:exec )?node (\S+)(?: (\S+\.ts))?/.exec(command) ?? [];
  expect(relative(checkout, join(checkout, folder, starter!))).toBe('packages/stack/src/start.mjs');
  expect(existsSync(join(checkout, file!)), file).toBe(true);
  // Because start.mjs imports the file, `import.meta.main` is always false. The file must compare process.argv[1], which start.mjs sets.
  expect(readFileSync(join(checkout, file!), 'utf8')).not.toContain('import.meta.main');
});

test('finds the scripts of the product and of the bench', () => {
  expect(scripts.map(({ script }) => script)).toEqual(
    expect.arrayContaining(['package.json start', 'bench/package.json bench']),
  );
});
