import { join } from 'node:path';
import type { Log } from '@srs-stack/process/log.ts';
import type { MediaServer } from '../media-server/media-server.ts';
import { measureDisk } from '../recording/disk-space.ts';
import { openHistoryFile } from './history-file.ts';
import { createLiveMetrics } from './live-metrics.ts';
import { createMachineMetrics } from './machine-metrics.ts';
import { createMonitor, type Monitor } from './monitor.ts';
import type { MonitorEvents } from './monitor-events.ts';
import { Sampler, type SamplerDeps } from './sampler.ts';
import type { KeptViewerHistory } from './viewers/open-viewer-history.ts';
import { ViewerWatch } from './viewers/viewer-watch.ts';
import type { WorkerSources } from './worker-metrics.ts';

export interface OpenMonitorDeps extends WorkerSources {
  readonly mediaServer: MediaServer;
  readonly dataDir: string;
  readonly store: SamplerDeps['store'];
  readonly drain: SamplerDeps['drain'];
  readonly certificates: SamplerDeps['certificates'];
  readonly events: MonitorEvents;
  readonly log: Log;
  readonly now: () => Date;
  /** Playback quality. */
  readonly viewers: KeptViewerHistory;
}

/** Opens the monitoring. The history is in the folder `metrics` of the data folder. */
export async function openMonitor(deps: OpenMonitorDeps): Promise<Monitor> {
  const { dataDir, events, log, now, mediaServer, viewers } = deps;
  const viewerWatch = new ViewerWatch({ mediaServer, history: viewers.history });
  const monotonicMs = () => performance.now();
  const history = await openHistoryFile(join(dataDir, 'metrics', 'history.bin'), now().getTime(), log);
  const sampler = new Sampler({
    ...deps,
    viewers: viewerWatch,
    history,
    monotonicMs,
    measureDisk,
    liveMetrics: createLiveMetrics({ mediaServer, monotonicMs }),
    machineMetrics: createMachineMetrics(monotonicMs),
  });
  return createMonitor({
    sampler,
    history,
    events,
    viewers,
    viewerResults: () => viewerWatch.results,
    log,
    now,
    monotonicMs,
  });
}
