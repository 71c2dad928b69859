import type * as calls from '@srs-stack/contract/endpoints/settings/object-storage.ts';
import { maskKey } from '../../objects/bucket-settings.ts';
import type { Objects } from '../../objects/open-objects.ts';
import type { Recording } from '../../recording/open-recording.ts';
import type { HandlersOf } from '../handlers.ts';

export function objectStorageRoutes({
  objects,
  recording,
}: {
  objects: Objects;
  recording: Recording;
}): HandlersOf<typeof calls> {
  return {
    async queryObjectStorage() {
      const { place, keys, prefix, on, local, delivery } = objects.settings();
      return {
        ...{ on, local, delivery, ...place, prefix },
        accessKey: maskKey(keys.accessKey),
        hasSecretKey: keys.secretKey !== '',
        delivers: await objects.delivers(),
        status: { ...objects.status(), ...recording.records.stored() },
        revision: objects.revision(),
      };
    },
    async updateObjectStorage({ revision, token: _, ...typed }, { actor }) {
      await objects.change(typed, { revision, actor });
      return null;
    },
    testObjectStorage: ({ token: _, ...typed }) => objects.test(typed),
    queryObjectTransfers: () => objects.transfers(),
    async retryObjectStorage({ forgetRemovals }, { actor }) {
      if (forgetRemovals) await objects.forgetRemovals(actor);
      else objects.retryNow();
      return null;
    },
  };
}
