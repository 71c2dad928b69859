// Data of the charts: the fetched history of a range, and the snapshots that the server has pushed since.
import type { MonitorRange, MonitorSnapshot } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiQuery } from '../../api/api-query.ts';

/** Polling interval of each range, milliseconds. Between two polls, pushed metrics extend the 5-minute range. */
const refetchMs: Record<MonitorRange, number> = { '5m': 60_000, '1h': 20_000, '24h': 60_000, '7d': 300_000 };
/** Maximum number of stored snapshots. One arrives every 2 s, so 90 snapshots cover three poll intervals of the 5-minute range. */
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
