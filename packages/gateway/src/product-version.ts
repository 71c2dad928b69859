import { readVersion } from '@srs-stack/process/product-version.ts';

/** Value of the `Server` header of every response. */
export const serverHeader = `srs-stack/${readVersion()}`;
