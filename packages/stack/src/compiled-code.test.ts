import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureCompiledCode } from './compiled-code.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'srs-stack-compiled-'));
});
afterEach(() => rmSync(place, { recursive: true }));

function server(name: string): string {
  const path = join(place, `${name}.ts`);
  const mark: string = join(place, `${name}.compiled`);
  writeFileSync(
    path,
    `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(mark)}, '' as string);\n`,
  );
  return path;
}

test('every server is compiled once, before the first start', async () => {
  const folder = join(place, 'compiled');
  const servers = ['one', 'two'].map((name) => [server(name)]);
  await ensureCompiledCode({ folder, servers });
  expect(readdirSync(folder)).not.toEqual([]);
  for (const name of ['one', 'two']) {
    expect(existsSync(join(place, `${name}.compiled`))).toBe(true);
    rmSync(join(place, `${name}.compiled`));
  }
  await ensureCompiledCode({ folder, servers });
  expect(existsSync(join(place, 'one.compiled'))).toBe(false);
});

test('a server that cannot be loaded does not stop the start', async () => {
  writeFileSync(join(place, 'broken.ts'), 'throw new Error();');
  await ensureCompiledCode({ folder: join(place, 'compiled'), servers: [[join(place, 'broken.ts')], ['/nowhere.ts']] });
});
