import type * as calls from '@srs-stack/contract/endpoints/settings/hls-settings.ts';
import { revisionOf } from '../../concurrency/settings-revision.ts';
import type { Modules } from '../../modules.ts';
import type { HandlersOf } from '../handlers.ts';

type HlsModules = Pick<Modules, 'hls' | 'rewind' | 'recording'>;

export function hlsSettingsRoutes({ hls, rewind, recording }: HlsModules): HandlersOf<typeof calls> {
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
    async queryRewind() {
      const settings = rewind.current();
      const windows = await recording.records.clips.windows();
      const usedBytes = windows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      const shown = { ...settings, patterns: [...settings.patterns] };
      return { ...shown, usedBytes, windows: windows.length, revision: revisionOf(settings) };
    },
    async updateRewind({ minutes, maxBytes, patterns, revision }, { actor }) {
      await rewind.change({ minutes, patterns, ...(maxBytes !== undefined && { maxBytes }) }, actor, revision);
      return null;
    },
  };
}
