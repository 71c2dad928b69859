// Compares the table of limits in docs/reference/limits.md with the code. `--write` updates the table. Run: node scripts/check-limits.ts
// [--write]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limitsTable, readLimits, withTable } from './limits-table.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const path = join(checkout, 'docs/reference/limits.md');
const limits = readLimits(checkout);
const bare = limits.filter(({ reason }) => reason === '');
for (const { file, name } of bare) console.error(`${file}: ${name} has no comment with unit and reason above it`);
const document = readFileSync(path, 'utf8');
const current = withTable(document, limitsTable(limits));
const isCurrent = current === document;
if (process.argv.includes('--write')) writeFileSync(path, current);
else if (!isCurrent)
  console.error(
    'docs/reference/limits.md: the table of limits is not current, run: node scripts/check-limits.ts --write',
  );
if (bare.length === 0 && (isCurrent || process.argv.includes('--write'))) console.log(`${limits.length} limits`);
else process.exitCode = 1;
