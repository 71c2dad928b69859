import type * as calls from '@srs-stack/contract/endpoints/settings/slates.ts';
import type { Tasks } from '../../tasks/open-tasks.ts';
import type { HandlersOf } from '../handlers.ts';

export function slatesRoutes({ slates }: Tasks): HandlersOf<typeof calls> {
  return {
    querySlates: () => slates.query(),
    querySlatePicture: async () => ({ picture: await slates.picture() }),
    async updateSlates({ token: _, revision, ...values }, { actor }) {
      await slates.change(values, { actor, revision });
      return null;
    },
  };
}
