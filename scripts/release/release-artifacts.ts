// `npm run release:artifacts`: builds the files of a release from the current checkout. These are the npm package, software bill of
// materials, third-party licences, release notes, and checksums. Run: npm run release:artifacts -- [folder]
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packProduct } from '../pack/pack-product.ts';
import { thirdPartyLicences } from '../pack/third-party-licences.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { requireValidBill } from './bill-of-materials-schema.ts';
import { sectionOf } from './changelog.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** Writes the files into `folder` and returns their names. The last file, `SHA256SUMS`, contains the checksums of all others. */
export async function makeArtifacts(folder: string): Promise<string[]> {
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
  const notes = sectionOf(readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8'), version);
  if (notes === undefined) throw new Error(`CHANGELOG.md has no section for version ${version}.`);
  mkdirSync(folder, { recursive: true });
  const product = basename(await packProduct(folder));
  const bill = billOfMaterials(checkout);
  await requireValidBill(bill);
  const texts = {
    [`srs-stack-${version}.cdx.json`]: bill,
    'THIRD-PARTY-LICENSES.txt': thirdPartyLicences(checkout),
    'RELEASE-NOTES.md': `${notes}\n`,
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  const names = [product, ...Object.keys(texts)];
  writeFileSync(join(folder, 'SHA256SUMS'), names.map((name) => `${sha256(join(folder, name))}  ${name}\n`).join(''));
  return [...names, 'SHA256SUMS'];
}

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? join(checkout, 'artifacts'));
  for (const name of await makeArtifacts(folder)) console.log(join(folder, name));
}
