// A slow viewer must not affect normal viewers. One run measures the normal viewers first alone, then with a slow viewer.
import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from '../conf/servers.ts';
import type { Tool } from '../lib/child-process.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';
import { gopPauseMs, publishRtmp, streamKbps } from './http-flv.ts';
import { isMergeVariant, type Scale, type Scenario, scaled, windowSeconds } from './scenario.ts';
import { longestPublishSeconds, publisherKbps } from './webrtc.ts';

/** Wait until the buffers of the slow viewer are full, milliseconds. */
const fillMs = 4_000;
const windowLength = 10;
const flvViewers = 200;
const whepViewers = 100;

async function compare(run: ScenarioRun, load: () => Tool, slow: () => Tool): Promise<void> {
  await run.noteResult('alone', load());
  const slowViewer = slow();
  await run.untilReady(slowViewer);
  await delay(fillMs);
  await run.measure('viewers', load());
  await run.noteResult('slow', slowViewer, 'stop');
}

async function runFlv(run: ScenarioRun, scale: Scale): Promise<void> {
  const viewers = scaled(flvViewers, scale);
  run.record.facts = { viewers, kbps: streamKbps };
  await run.startServer();
  const publisher = await publishRtmp(run);
  const url = run.address(run.server.flv);
  const args = ['-c', viewers, '-k', viewers, '-r', 200, '-s', 2, '-t', windowSeconds(windowLength, scale)];
  await compare(
    run,
    () => run.program('flvload', [...args, url]),
    () => run.tool('slow-viewer', ['--flv', url]),
  );
  await run.noteResult('publisher', publisher, 'stop');
}

async function runWhep(run: ScenarioRun, scale: Scale): Promise<void> {
  const viewers = scaled(whepViewers, scale);
  run.record.facts = { viewers, kbps: publisherKbps };
  await run.startServer();
  const publish = ['--url', run.address(run.server.whip), '--kbps', publisherKbps, '--time', longestPublishSeconds];
  const publisher = run.tool('whip-pub', publish);
  await run.untilReady(publisher);
  await delay(gopPauseMs);
  const url = run.address(run.server.whep);
  const size = ['--viewers', viewers, '--ramp', 50, '--settle', 3, '--time', windowSeconds(windowLength, scale)];
  await compare(
    run,
    () => run.tool('whep-load', ['--url', url, ...size]),
    () => run.tool('slow-viewer', ['--whep', url]),
  );
  await run.noteResult('publisher', publisher, 'stop');
}

function scenario(facts: Pick<Scenario, 'id' | 'title' | 'table' | 'estimatedSeconds' | 'suits' | 'run'>): Scenario {
  return { ...facts, isQuick: false, rounds: 2 };
}

export const slowViewerScenarios = [
  scenario({
    id: 'slow-flv',
    title: `${flvViewers} HTTP-FLV viewers of ${streamKbps / 1000} Mbps without and with one that reads 100 kbps`,
    table: 'slow-flv',
    estimatedSeconds: 45,
    suits: (server: Server) => server.rtmp !== undefined && server.flv !== undefined && !isMergeVariant(server),
    run: runFlv,
  }),
  scenario({
    id: 'slow-whep',
    title: `${whepViewers} WHEP viewers of ${publisherKbps / 1000} Mbps without and with one that loses most packets`,
    table: 'slow-whep',
    estimatedSeconds: 50,
    suits: (server: Server) => server.whip !== undefined && server.whep !== undefined && !isMergeVariant(server),
    run: runWhep,
  }),
];
