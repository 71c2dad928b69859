// RTMP in, HTTP-FLV out: latency, join time, and fan-out to many viewers.
import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from '../conf/servers.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';
import { type Scale, type Scenario, scaled, windowSeconds } from './scenario.ts';

export const streamKbps = 2_000;
/** Pause after the start of the publisher, milliseconds: longer than a GOP, so that GOP caches are filled. */
export const gopPauseMs = 2_300;
const longestPublishSeconds = 300;
const joins = 30;
/** Number of viewers whose bytes are parsed in a fan-out, evenly distributed. The bytes of other viewers are discarded in the kernel. */
const parsedViewers = 10;
const rampPerSecond = 200;
const settleSeconds = 2;

const suits = (server: Server): boolean => server.rtmp !== undefined && server.flv !== undefined;

export async function publishRtmp(run: ScenarioRun): Promise<ReturnType<ScenarioRun['tool']>> {
  const url = run.address(run.server.rtmp);
  const publisher = run.tool('rtmp-pub', ['--url', url, '--kbps', streamKbps, '--time', longestPublishSeconds]);
  await run.untilReady(publisher);
  await delay(gopPauseMs);
  return publisher;
}

async function runViewers(run: ScenarioRun, options: { viewers: number; parsed: number; seconds: number }) {
  run.record.facts = { viewers: options.viewers, kbps: streamKbps };
  await run.startServer();
  const publisher = await publishRtmp(run);
  const { viewers, parsed, seconds } = options;
  const args = ['-c', viewers, '-k', parsed, '-r', rampPerSecond, '-s', settleSeconds, '-t', seconds];
  await run.measure('viewers', run.program('flvload', [...args, run.address(run.server.flv)]));
  await run.noteResult('publisher', publisher, 'stop');
}

function latency(viewers: number): Scenario {
  return {
    id: `lat${viewers}`,
    title: `Latency, ${viewers} viewer${viewers > 1 ? 's' : ''}, all parsed`,
    table: 'latency',
    isQuick: viewers === 1,
    rounds: 2,
    estimatedSeconds: 20,
    suits,
    run: (run, scale) => {
      const count = scaled(viewers, scale);
      return runViewers(run, { viewers: count, parsed: count, seconds: windowSeconds(10, scale) });
    },
  };
}

function fanOut(viewers: number): Scenario {
  return {
    id: `fan${viewers}`,
    title: `1 publisher of ${streamKbps / 1000} Mbps, ${viewers.toLocaleString('en')} viewers`,
    table: 'fan',
    isQuick: viewers === 1_000,
    rounds: 2,
    estimatedSeconds: 26 + viewers / rampPerSecond,
    suits,
    run: (run, scale) => {
      const count = scaled(viewers, scale);
      return runViewers(run, {
        viewers: count,
        parsed: Math.min(count, parsedViewers),
        seconds: windowSeconds(15, scale),
      });
    },
  };
}

const join: Scenario = {
  id: 'join',
  title: `Time to join, ${joins} joins one by one`,
  table: 'join',
  isQuick: true,
  rounds: 2,
  estimatedSeconds: 16,
  suits,
  run: async (run, scale: Scale) => {
    const count = scaled(joins, scale);
    run.record.facts = { joins: count, kbps: streamKbps };
    await run.startServer();
    const publisher = await publishRtmp(run);
    const viewers = run.program('flvload', ['-J', count, run.address(run.server.flv)]);
    await run.measureFor(viewers.ended);
    await run.noteResult('viewers', viewers);
    await run.noteResult('publisher', publisher, 'stop');
  },
};

const rushViewers = 1_000;
const rushSeconds = 2;

const rush: Scenario = {
  id: 'rush',
  title: `${rushViewers.toLocaleString('en')} viewers join within ${rushSeconds} s`,
  table: 'rush',
  isQuick: false,
  rounds: 2,
  estimatedSeconds: 16,
  suits,
  run: async (run, scale) => {
    const viewers = scaled(rushViewers, scale);
    run.record.facts = { viewers, kbps: streamKbps };
    await run.startServer();
    const publisher = await publishRtmp(run);
    const parsed = Math.min(viewers, parsedViewers);
    const args = ['-c', viewers, '-k', parsed, '-r', viewers / rushSeconds, '-s', 1, '-t', windowSeconds(2, scale)];
    await run.measure('viewers', run.program('flvload', [...args, run.address(run.server.flv)]));
    await run.noteResult('publisher', publisher, 'stop');
  },
};

export const httpFlvScenarios = [latency(1), latency(200), join, rush, fanOut(200), fanOut(500), fanOut(1_000)];
