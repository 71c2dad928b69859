// Build step: writes .br and .gz beside the text files of the build, so that the server need not compress them.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = new Set(['.js', '.css', '.html', '.svg', '.json', '.txt']);
/** Minimum size of a file to compress, bytes. For smaller files, the additional headers cost more than compression saves. */
const minBytes = 512;

/** Vite plugin that precompresses the output folder. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    // Runs after all steps that write pages.
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }) {
        const names = await readdir(dir!, { recursive: true });
        const texts = names.filter((name) => compressible.has(extname(name)));
        await Promise.all(texts.map((name) => compressFile(join(dir!, name))));
      },
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < minBytes) return;
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}
