import type * as calls from '@srs-stack/contract/endpoints/hls-settings.ts';
import { revisionOf } from '../concurrency/settings-revision.ts';
import type { Rooms } from '../rooms.ts';
import type { HandlersOf } from './handlers.ts';

export function hlsSettingsRoutes(hls: Rooms['hls']): HandlersOf<typeof calls> {
  return {
    async queryHighPerformanceHls() {
      const { noHlsCtx } = await hls.current();
      return { noHlsCtx, revision: revisionOf(noHlsCtx) };
    },
    async updateHighPerformanceHls({ noHlsCtx, revision }, { actor }) {
      await hls.change({ noHlsCtx }, actor, revision);
      return null;
    },
    async queryLowLatencyHls() {
      const { hlsLowLatency } = await hls.current();
      return { hlsLowLatency, revision: revisionOf(hlsLowLatency) };
    },
    async updateLowLatencyHls({ hlsLowLatency, revision }, { actor }) {
      await hls.change({ hlsLowLatency }, actor, revision);
      return null;
    },
  };
}
