// The version of the product, from the package.json at its root.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Version of the running product, without a leading v. */
export function readVersion(): string {
  return versionIn(fileURLToPath(new URL('../../..', import.meta.url)));
}

/** Version of a checkout or release in a folder, without a leading v. */
export function versionIn(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown };
  return typeof version === 'string' ? version : '0.0.0';
}
