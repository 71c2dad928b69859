import { viewerOutputs } from '@srs-stack/contract/values/viewers.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { maxKeptViewers, ViewerHistory } from './viewer-history.ts';
import { type StoredViewers, ViewerHistoryFiles } from './viewer-history-files.ts';
import { viewerTiers } from './viewer-history-layout.ts';

export interface KeptViewerHistory {
  readonly history: ViewerHistory;
  close(): Promise<void>;
}

/**
 * Never rejects: unreadable files are removed.
 * @param folder contains only files of the history.
 */
export async function openViewerHistory(folder: string, nowMs: number, log: Log): Promise<KeptViewerHistory> {
  const files = new ViewerHistoryFiles(folder, log);
  const history = new ViewerHistory(files);
  // One additional file per output contains the totals of all streams.
  const stored = await files.read(maxKeptViewers + viewerOutputs.length);
  const oldestFirst = stored.map((each) => ({ each, atMs: newestMs(each) })).sort((a, b) => a.atMs - b.atMs);
  for (const { each } of oldestFirst) history.restore(each.of, each.steps, nowMs);
  return { history, close: () => files.close() };
}

function newestMs({ steps }: StoredViewers): number {
  return steps.reduce((newest, { range, number }) => Math.max(newest, number * viewerTiers[range].stepMs), 0);
}
