// The product's version, from the root package.json.
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Without a leading `v`. */
export const productVersion = manifest.version;
/** Value of the `Server` header of every answer. */
export const serverHeader = `srs-stack/${productVersion}`;
