// Many RTMP publishers: cost with and without HLS, time until acceptance, and whether every frame arrives unchanged.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from '../conf/servers.ts';
import { reloadMediaServer } from '../lib/product-api.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';
import { isMergeVariant, type Scenario, scaled, windowSeconds } from './scenario.ts';

const publishers = 100;
const publisherKbps = 500;
const settleMs = 3_000;

/**
 * Switches HLS off in the running product by its configuration file.
 * The platform rewrites this file at every start and change of a setting, so the bench edits the file after the start.
 */
export async function switchHlsOff(server: Server): Promise<void> {
  const file = join(server.env?.DATA_DIR ?? '', 'config', 'srs.vhost.conf');
  writeFileSync(file, 'hls {\n    enabled off;\n}\n');
  await reloadMediaServer();
}

async function runPublishers(run: ScenarioRun, seconds: number, count: number, hls: 'on' | 'off'): Promise<void> {
  run.record.facts = { publishers: count, kbps: publisherKbps };
  await run.startServer();
  if (hls === 'off' && run.server.isProduct) await switchHlsOff(run.server);
  const url = run.address(run.server.rtmp, '_{i}');
  const args = ['--url', url, '--count', count, '--kbps', publisherKbps, '--time', seconds + 30];
  const publisher = run.tool('rtmp-pub', args);
  run.record.facts.accepted = await run.untilReady(publisher);
  await run.measureFor(settleMs); // settles; the next window replaces this one
  await run.measureFor(seconds * 1000);
  if (run.server.hls) run.record.facts.playlist = (await fetch(run.address(run.server.hls, '_0'))).status;
  await run.noteResult('publisher', publisher, 'stop');
}

function ingest(hls: 'on' | 'off'): Scenario {
  return {
    id: hls === 'on' ? 'ingest-hls' : 'ingest',
    title: `${publishers} publishers of ${publisherKbps} kbps, no viewers, HLS ${hls === 'on' ? 'for all' : 'off'}`,
    table: 'ingest',
    isQuick: true,
    rounds: 2,
    estimatedSeconds: 28,
    suits: (server) =>
      server.rtmp !== undefined &&
      !isMergeVariant(server) &&
      // The product runs with HLS on and off (`switchHlsOff`). SRS is listed as two servers, with and without HLS.
      (server.isProduct || (hls === 'on') === (server.hls !== undefined)),
    run: (run, scale) => runPublishers(run, windowSeconds(15, scale), scaled(publishers, scale), hls),
  };
}

const integrity: Scenario = {
  id: 'integrity',
  title: `${publishers} publishers of ${publisherKbps} kbps, each read back by an HTTP-FLV viewer and compared byte for byte`,
  table: 'integrity',
  isQuick: true,
  rounds: 1,
  estimatedSeconds: 22,
  suits: (server) => server.flv !== undefined && server.rtmp !== undefined && !isMergeVariant(server),
  run: async (run, scale) => {
    const count = scaled(publishers, scale);
    run.record.facts = { publishers: count, kbps: publisherKbps };
    await run.startServer();
    const [rtmp, flv] = [run.server.rtmp, run.server.flv].map((template) => run.address(template, '_{i}'));
    const args = ['--rtmp', rtmp!, '--flv', flv!, '--count', count, '--kbps', publisherKbps];
    await run.measure('streams', run.tool('integrity', [...args, '--time', windowSeconds(10, scale)]));
  },
};

export const ingestScenarios = [ingest('off'), ingest('on'), integrity];
