import type * as calls from '@srs-stack/contract/endpoints/settings/slates.ts';
import type { Tasks } from '../../tasks/open-tasks.ts';
import type { HandlersOf } from '../handlers.ts';

export function slatesRoutes({ slates }: Tasks): HandlersOf<typeof calls> {
  return {
    querySlates: () => slates.query(),
    querySlatePicture: async () => ({ picture: await slates.picture() }),
    previewSlate: async ({ token: _, ...wanted }) => ({ picture: await slates.preview(wanted) }),
    async startSlate({ token: _, ...wanted }, { actor }) {
      await slates.start(wanted, actor);
      return null;
    },
    async stopSlate({ app, stream }, { actor }) {
      await slates.stop({ app, stream }, actor);
      return null;
    },
    async updateSlates({ token: _, revision, ...values }, { actor }) {
      await slates.change(values, { actor, revision });
      return null;
    },
  };
}
