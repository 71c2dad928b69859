// Authorizes publishers of renditions: only the ladders of this server. The key is only in memory and in the publish addresses of the
// ladders.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { parseRenditionName } from '@srs-stack/contract';

const parameter = 'ladder';
const keyBytes = 24;

export class RenditionAccess {
  readonly #key = randomBytes(keyBytes).toString('hex');

  /** Query that authorizes a ladder, and the secret in the query. */
  get query(): { readonly text: string; readonly secret: string } {
    return { text: `${parameter}=${this.#key}`, secret: this.#key };
  }

  /** True if the stream has the name of a rendition. Ignores the publisher. */
  isRendition({ stream }: { stream: string }): boolean {
    return parseRenditionName(stream) !== undefined;
  }

  admits({ param }: { param: string }): boolean {
    const given = Buffer.from(new URLSearchParams(param).get(parameter) ?? '');
    const key = Buffer.from(this.#key);
    return given.length === key.length && timingSafeEqual(given, key);
  }
}
