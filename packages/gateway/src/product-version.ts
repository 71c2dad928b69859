// How this server names itself.
import { readVersion } from '@srs-stack/process/product-version.ts';

/** Value of the `Server` header of every answer. */
export const serverHeader = `srs-stack/${readVersion()}`;
