import { randomUUID } from 'node:crypto';
import type * as calls from '@srs-stack/contract/endpoints/cameras.ts';
import type { Modules } from '../modules.ts';
import type { HandlersOf } from './handlers.ts';

export function camerasRoutes({ tasks }: Pick<Modules, 'tasks'>): HandlersOf<typeof calls> {
  const { cameras, cameraSources, onvif } = tasks;
  return {
    async cameraSecret({ token: _, action, ...sent }, { actor }) {
      if (action === undefined || action === '') return cameras.targets();
      await cameras.save(action, sent, actor);
      return null;
    },
    cameraStreams: () => cameras.rows(),
    cameraStreamUrl: ({ url }, { query }) => cameraSources.checkStreamUrl(url || textOf(query.url)),
    cameraSource: async ({ platform, files }, { actor }) => ({
      platform,
      files: await cameras.setSource(platform, files, actor),
    }),
    testCamera({ url }) {
      const source = cameraSources.checkStreamUrl(url);
      return cameraSources.probe({ ...source, uuid: randomUUID(), path: '', type: 'stream' });
    },
    discoverCameras: () => onvif.discover(),
    readOnvifCamera: ({ token: _, ...request }) => onvif.read(request),
    async moveCamera({ platform, preset, pan, tilt, zoom }) {
      const camera = await cameras.find(platform);
      if (preset === undefined) await onvif.move(camera, { pan, tilt, zoom });
      else await onvif.goToPreset(camera, preset);
      return null;
    },
    cameraPresets: async ({ platform }) => onvif.presets(await cameras.find(platform)),
    async removeCamera({ platform }, { actor }) {
      await cameras.remove(platform, actor);
      return null;
    },
  };
}

/** A query parameter as text; '' if absent. Older clients send values in the query. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
