// Bucket settings: address, keys (encrypted; shown only masked), what is uploaded, and what happens to local copies.
import {
  AppError,
  because,
  changed,
  type DeliveryChoice,
  deliveryChoices,
  type LocalCopyChoice,
  localCopyChoices,
  switched,
} from '@srs-stack/contract';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import { openSetting, type Setting } from '../store/setting.ts';
import type { DocumentType, Store } from '../store/store.ts';
import { type BucketKeys, type BucketPlace, bucketPlace } from './bucket.ts';
import { requireUsablePlace, tidyPrefix } from './place-rule.ts';

/** Region for services that have no regions. */
const defaultRegion = 'us-east-1';
/** Characters of the access key that are shown at each end. */
const shownCharacters = 4;

export interface BucketSettings {
  readonly on: boolean;
  readonly local: LocalCopyChoice;
  readonly delivery: DeliveryChoice;
  readonly place: BucketPlace;
  readonly prefix: string;
  readonly keys: BucketKeys;
}

const settingsDocument: DocumentType<BucketSettings> = {
  key: 'object-storage',
  secret: true,
  schema: z.object({
    on: z.boolean(),
    local: z.enum(localCopyChoices),
    delivery: z.enum(deliveryChoices),
    place: bucketPlace,
    prefix: z.string(),
    keys: z.object({ accessKey: z.string(), secretKey: z.string() }),
  }),
  empty: {
    ...{ on: false, local: 'keep', delivery: 'auto', prefix: '' },
    place: { endpoint: '', region: '', bucket: '', pathStyle: true },
    keys: { accessKey: '', secretKey: '' },
  },
};

/** An update of the settings. Empty keys mean the stored keys. */
export interface TypedBucket extends BucketPlace, BucketKeys {
  readonly prefix: string;
}

export interface TypedSettings extends TypedBucket {
  readonly on: boolean;
  readonly local: LocalCopyChoice;
  readonly delivery: DeliveryChoice;
}

export interface BucketSettingsService
  extends Pick<Setting<BucketSettings>, 'current' | 'revision' | 'onOthersChange'> {
  /** Address and keys of an update. Empty keys are replaced by the stored keys. Throws `bucketSettingsIncomplete` or `addressRefused`. */
  complete(typed: TypedBucket): { place: BucketPlace; keys: BucketKeys; prefix: string };
  /** Changes the settings. Endpoint and bucket may be empty while uploads are switched off. */
  change(typed: TypedSettings, save: { revision?: string | undefined; actor: Actor }): Promise<void>;
}

export async function openBucketSettings(deps: { store: Store; audit: AuditTrail }): Promise<BucketSettingsService> {
  const setting = await openSetting({ ...deps, type: settingsDocument });
  const keysOf = ({ accessKey, secretKey }: BucketKeys): BucketKeys => {
    if ((accessKey === '') !== (secretKey === ''))
      throw new AppError('bucketSettingsIncomplete', because('bucket.both-keys'));
    return accessKey === '' ? setting.current().keys : { accessKey, secretKey };
  };
  const complete: BucketSettingsService['complete'] = (typed) => {
    const place = placeOf(typed);
    requireUsablePlace(place);
    const keys = keysOf(typed);
    if (keys.accessKey === '') throw new AppError('bucketSettingsIncomplete', because('bucket.keys'));
    return { place, keys, prefix: tidyPrefix(typed.prefix) };
  };
  return {
    current: () => setting.current(),
    revision: () => setting.revision(),
    onOthersChange: (listener) => setting.onOthersChange(listener),
    complete,
    change: (typed, { revision, actor }) => {
      const { on, local, delivery } = typed;
      const place = placeOf(typed);
      const isEmpty = place.endpoint === '' && place.bucket === '';
      const usable =
        on || !isEmpty ? complete(typed) : { place, keys: keysOf(typed), prefix: tidyPrefix(typed.prefix) };
      const detail = changed('bucket.saved', {
        ...{ state: switched(on), bucket: place.bucket, endpoint: place.endpoint },
        local: changed(local === 'keep' ? 'bucket.keeps' : 'bucket.removes'),
      });
      return setting.save(() => ({ on, local, delivery, ...usable }), { revision, actor, detail });
    },
  };
}

function placeOf({ endpoint, region, bucket, pathStyle }: BucketPlace): BucketPlace {
  return { endpoint: endpoint.trim().replace(/\/+$/, ''), region: region.trim() || defaultRegion, bucket, pathStyle };
}

/** Masks a key: `AKIA…9f3c`. A short key is masked completely. */
export function maskKey(key: string): string {
  if (key === '') return '';
  if (key.length < shownCharacters * 4) return '••••';
  return `${key.slice(0, shownCharacters)}…${key.slice(-shownCharacters)}`;
}
