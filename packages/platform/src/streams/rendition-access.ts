// Authorizes publishing under the name of a rendition: only the ladders of this server may. The key lives as long as this control plane,
// which starts the ladders, and exists only in their addresses.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { parseRenditionName } from '@srs-stack/contract';

/** Query parameter of the address. */
const parameter = 'ladder';
const keyBytes = 24;

export class RenditionAccess {
  readonly #key = randomBytes(keyBytes).toString('hex');

  /** Query that authorizes a ladder to publish, and its secret part. */
  get query(): { readonly text: string; readonly secret: string } {
    return { text: `${parameter}=${this.#key}`, secret: this.#key };
  }

  /** True for the name of a rendition, from any publisher. */
  isRendition({ stream }: { stream: string }): boolean {
    return parseRenditionName(stream) !== undefined;
  }

  admits({ param }: { param: string }): boolean {
    const given = Buffer.from(new URLSearchParams(param).get(parameter) ?? '');
    const key = Buffer.from(this.#key);
    return given.length === key.length && timingSafeEqual(given, key);
  }
}
