import type { Services } from '../services/services.ts';
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

export function settingsRoutes({ beian, hlsSettings, bitrateLimits }: Services): Pick<Handlers, Names> {
  return {
    queryBeian: () => beian.current(),
    async updateBeian({ beian: member, text }, { ip }) {
      await beian.change(member, text, ip);
      return null;
    },
    async queryHighPerformanceHls() {
      const { noHlsCtx } = await hlsSettings.current();
      return { noHlsCtx };
    },
    async updateHighPerformanceHls({ noHlsCtx }, { ip }) {
      await hlsSettings.change({ noHlsCtx }, ip);
      return null;
    },
    async queryLowLatencyHls() {
      const { hlsLowLatency } = await hlsSettings.current();
      return { hlsLowLatency };
    },
    async updateLowLatencyHls({ hlsLowLatency }, { ip }) {
      await hlsSettings.change({ hlsLowLatency }, ip);
      return null;
    },
    queryLimits: () => bitrateLimits.current(),
    async updateLimits({ vlive, camera }, { ip }) {
      await bitrateLimits.change({ vlive, camera }, ip);
      return null;
    },
  };
}
