// Checks the values typed for the bucket and determines the consequences of saving. Pure.
import type { ObjectStorage } from './queries.ts';

type KeptFields = 'on' | 'endpoint' | 'region' | 'bucket' | 'pathStyle' | 'prefix' | 'local' | 'delivery';

/** Form values; an empty key leaves the stored key unchanged. */
export type BucketDraft = Pick<ObjectStorage, KeptFields> & { accessKey: string; secretKey: string };

export type MissingField = 'endpoint' | 'bucket' | 'accessKey' | 'secretKey';

/** Required fields that are empty. Keys are required if the server stores none or if a key was typed. */
export function missingIn(stored: Pick<ObjectStorage, 'hasSecretKey'>, draft: BucketDraft): MissingField[] {
  const wantsKeys = !stored.hasSecretKey || draft.accessKey !== '' || draft.secretKey !== '';
  const needed: MissingField[] = ['endpoint', 'bucket', ...(wantsKeys ? (['accessKey', 'secretKey'] as const) : [])];
  return needed.filter((field) => draft[field].trim() === '');
}

/** `removesLocal`: copies on this server are deleted. `leavesBucket`: recordings exist only in the previous bucket. */
export type Consequence = 'removesLocal' | 'leavesBucket';

export function consequencesOf(stored: ObjectStorage, draft: BucketDraft): Consequence[] {
  const removes = draft.on && draft.local === 'remove' && !(stored.on && stored.local === 'remove');
  const isElsewhere = draft.endpoint.trim() !== stored.endpoint || draft.bucket.trim() !== stored.bucket;
  const leaves = stored.bucket !== '' && isElsewhere && stored.status.onlyThere.count > 0;
  return [...(removes ? (['removesLocal'] as const) : []), ...(leaves ? (['leavesBucket'] as const) : [])];
}

/** Whether transfers are unencrypted. Transfers never contain the secret key. */
export function isPlainHttp(endpoint: string): boolean {
  return /^http:\/\//i.test(endpoint.trim());
}
