// Requests of the dashboard beyond the feed: the history of a range, and the snapshots pushed since.
import type { MonitorRange, MonitorSnapshot } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiQuery } from '../../api/api-query.ts';

/** Poll interval of a range, milliseconds: about the distance of two points; the newest range grows by pushed metrics. */
const refetchMs: Record<MonitorRange, number> = { '5m': 60_000, '1h': 20_000, '24h': 60_000, '7d': 300_000 };
/** Maximum number of stored snapshots, one every 2 s: more than two fetches of the newest range. */
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
