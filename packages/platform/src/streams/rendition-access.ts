// Authorizes publishers of renditions: only the ladders of this server. The key exists only in memory and in the addresses of the ladders,
// which this control plane starts.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { parseRenditionName } from '@srs-stack/contract';

/** Query parameter of the address. */
const parameter = 'ladder';
const keyBytes = 24;

export class RenditionAccess {
  readonly #key = randomBytes(keyBytes).toString('hex');

  /** Query with which a ladder may publish, and the secret in it. */
  get query(): { readonly text: string; readonly secret: string } {
    return { text: `${parameter}=${this.#key}`, secret: this.#key };
  }

  /** True for the name of a rendition, regardless of the publisher. */
  isRendition({ stream }: { stream: string }): boolean {
    return parseRenditionName(stream) !== undefined;
  }

  admits({ param }: { param: string }): boolean {
    const given = Buffer.from(new URLSearchParams(param).get(parameter) ?? '');
    const key = Buffer.from(this.#key);
    return given.length === key.length && timingSafeEqual(given, key);
  }
}
