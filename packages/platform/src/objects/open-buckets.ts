// Opens each bucket once. After a change of the keys, all buckets are opened again.
import type { Bucket, BucketKeys, BucketPlace, OpenBucket } from './bucket.ts';

/** Maximum number of buckets with open connections: the current bucket and earlier buckets. */
const maxOpen = 8;

export class OpenBuckets {
  readonly #open: OpenBucket;
  readonly #keys: () => BucketKeys;
  readonly #buckets = new Map<string, Promise<Bucket>>();

  constructor(open: OpenBucket, keys: () => BucketKeys) {
    this.#open = open;
    this.#keys = keys;
  }

  at(place: BucketPlace): Promise<Bucket> {
    const keys = this.#keys();
    const name = JSON.stringify([place, keys]);
    const known = this.#buckets.get(name);
    if (known) return known;
    if (this.#buckets.size >= maxOpen) this.close();
    const opened = this.#open(place, keys);
    this.#buckets.set(name, opened);
    opened.catch(() => this.#buckets.delete(name));
    return opened;
  }

  close(): void {
    for (const bucket of this.#buckets.values()) bucket.then((each) => each.close()).catch(() => undefined);
    this.#buckets.clear();
  }
}
