// Sizes of the console's build: every script and style sheet, uncompressed and as transferred.  npm run bundle -w bench
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const dist = fileURLToPath(new URL('../packages/console/dist', import.meta.url));
/** Files below this many bytes share one row. */
const smallBytes = 8_192;

interface Row {
  readonly name: string;
  readonly rawBytes: number;
  readonly brotliBytes: number;
}

const kilobytes = (bytes: number): string => (bytes / 1024).toFixed(1);
const sum = (rows: readonly Row[], name: string): Row => ({
  name,
  rawBytes: rows.reduce((total, { rawBytes }) => total + rawBytes, 0),
  brotliBytes: rows.reduce((total, { brotliBytes }) => total + brotliBytes, 0),
});

const files = readdirSync(join(dist, 'assets')).filter((name) => /\.(js|css)$/.test(name));
if (files.length === 0) throw new Error('The console is not built. Run npm run build first.');
const rows = files.map((name): Row => {
  const bytes = readFileSync(join(dist, 'assets', name));
  return { name, rawBytes: bytes.length, brotliBytes: brotliCompressSync(bytes).length };
});
const [large, small] = [
  rows.filter(({ rawBytes }) => rawBytes >= smallBytes),
  rows.filter(({ rawBytes }) => rawBytes < smallBytes),
];
const login = readFileSync(join(dist, 'drawn/index.html'), 'utf8');
const ofLogin = rows.filter(({ name }) => login.includes(name));
const table = [
  ...large.sort((a, b) => b.brotliBytes - a.brotliBytes),
  sum(small, `${small.length} smaller files`),
  sum(rows, 'everything'),
  sum(ofLogin, `login page: ${ofLogin.length} files`),
];
console.log('| file | KB | KB with brotli |\n|---|--:|--:|');
for (const { name, rawBytes, brotliBytes } of table) {
  console.log(`| ${name} | ${kilobytes(rawBytes)} | ${kilobytes(brotliBytes)} |`);
}
