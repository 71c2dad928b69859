import { revisionOf } from '../concurrency/settings-revision.ts';
import type { Rooms } from '../rooms.ts';
import type { Handlers } from './handlers.ts';

type Names =
  | 'queryBeian'
  | 'updateBeian'
  | 'queryHighPerformanceHls'
  | 'updateHighPerformanceHls'
  | 'queryLowLatencyHls'
  | 'updateLowLatencyHls'
  | 'queryLimits'
  | 'updateLimits';

export function settingsRoutes({
  settings,
  hls,
  streams,
}: Pick<Rooms, 'settings' | 'hls' | 'streams'>): Pick<Handlers, Names> {
  const { beian } = settings;
  const { bitrateLimits } = streams;
  return {
    queryBeian: () => beian.current(),
    async updateBeian({ beian: member, text, previous }, { ip }) {
      await beian.change(member, text, ip, previous);
      return null;
    },
    async queryHighPerformanceHls() {
      const { noHlsCtx } = await hls.current();
      return { noHlsCtx, revision: revisionOf(noHlsCtx) };
    },
    async updateHighPerformanceHls({ noHlsCtx, revision }, { ip }) {
      await hls.change({ noHlsCtx }, ip, revision);
      return null;
    },
    async queryLowLatencyHls() {
      const { hlsLowLatency } = await hls.current();
      return { hlsLowLatency, revision: revisionOf(hlsLowLatency) };
    },
    async updateLowLatencyHls({ hlsLowLatency, revision }, { ip }) {
      await hls.change({ hlsLowLatency }, ip, revision);
      return null;
    },
    queryLimits: () => bitrateLimits.current(),
    async updateLimits({ vlive, camera, revision }, { ip }) {
      await bitrateLimits.change({ vlive, camera }, ip, revision);
      return null;
    },
  };
}
