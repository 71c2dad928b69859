import { AppError } from '@srs-stack/contract';
import { countReport, noViewerCounts, toRow } from '@srs-stack/contract/viewer-counts.ts';
import { beforeEach, expect, it } from 'vitest';
import type { ServerViewers } from '../../media-server/media-server.ts';
import { ViewerHistory } from './viewer-history.ts';
import { ViewerWatch } from './viewer-watch.ts';

const nowMs = 1_700_000_000_000;
let servers: ServerViewers[] | AppError;
let history: ViewerHistory;
let watch: ViewerWatch;

function server(name: string, reports: number, { pid = 1, stream = 'x' } = {}): ServerViewers {
  const counts = noViewerCounts();
  for (let index = 0; index < reports; index++) countReport(counts, { output: 'flv', seconds: 10 });
  const rows = reports > 0 ? [{ app: 'live', stream, output: 'flv' as const, counts: toRow(counts) }] : [];
  return { name, pid, rows, results: { accepted: reports, invalid: 0, unknown: 0, dropped: 0 } };
}

const look = (...now: ServerViewers[]) => {
  servers = now;
  return watch.look(nowMs);
};
const counted = () => history.totals().map(({ stream, counts }) => [stream, counts.reports]);

beforeEach(() => {
  history = new ViewerHistory();
  watch = new ViewerWatch({
    mediaServer: {
      listViewers: async () => {
        if (servers instanceof AppError) throw servers;
        return servers;
      },
    },
    history,
  });
});

it('adds up the new counts of several servers', async () => {
  await look(server('a', 2), server('b', 0));
  expect(counted()).toEqual([]);
  await look(server('a', 5), server('b', 1));
  expect(counted()).toEqual([['x', 4]]);
  await look(server('a', 5), server('b', 1));
  expect(counted()).toEqual([['x', 4]]);
  expect(watch.results.accepted).toBe(4);
});

it('counts a restarted server from zero', async () => {
  await look(server('a', 7));
  await look(server('a', 9, { pid: 2 }));
  expect(counted()).toEqual([['x', 9]]);
});

it('counts a row that was evicted meanwhile from zero', async () => {
  await look(server('a', 7));
  await look(server('a', 0));
  await look(server('a', 2));
  expect(counted()).toEqual([['x', 2]]);
});

it('continues when no server responds', async () => {
  await look(server('a', 1));
  servers = new AppError('mediaServerUnreachable');
  await watch.look(nowMs);
  await look(server('a', 3));
  expect(counted()).toEqual([['x', 2]]);
});
