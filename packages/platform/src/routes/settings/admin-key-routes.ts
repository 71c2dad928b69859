import type * as calls from '@srs-stack/contract/endpoints/settings/admin-key.ts';
import type { Settings } from '../../settings/open-settings.ts';
import type { HandlersOf } from '../handlers.ts';

export function adminKeyRoutes({ adminKey }: Settings): HandlersOf<typeof calls> {
  return {
    queryAdminKey: () => adminKey.query(),
    async updateAdminKey({ key, enable, revision }, { actor }) {
      await adminKey.change({ key, enable, revision, actor });
      return null;
    },
  };
}
