// Data of the charts: the history of a range, which is requested, and the snapshots pushed since then.
import type { MonitorRange, MonitorSnapshot } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiQuery } from '../../api/api-query.ts';

/** Poll interval of a range, milliseconds: about the time between two points. Pushed metrics extend the newest range. */
const refetchMs: Record<MonitorRange, number> = { '5m': 60_000, '1h': 20_000, '24h': 60_000, '7d': 300_000 };
/** Maximum number of stored snapshots: one arrives every 2 s, so they cover 180 s, three poll intervals of the newest range. */
const maxRecent = 90;

export function useHistory(range: MonitorRange) {
  return useQuery({
    ...apiQuery(calls.queryMonitorHistory, { range }),
    refetchInterval: refetchMs[range],
    placeholderData: keepPreviousData,
  });
}

/** The pushed snapshots, oldest first. */
export function useRecentSnapshots(snapshot: MonitorSnapshot | undefined): readonly MonitorSnapshot[] {
  const [recent, setRecent] = useState<readonly MonitorSnapshot[]>([]);
  useEffect(() => {
    if (snapshot)
      setRecent((before) => (before.at(-1) === snapshot ? before : [...before, snapshot].slice(-maxRecent)));
  }, [snapshot]);
  return recent;
}
