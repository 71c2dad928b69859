// Several gateways on one machine: how many viewers they hold, and what a stream costs that comes from another gateway.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gatewayCount } from '../conf/servers.ts';
import type { Tool } from '../lib/child-process.ts';
import type { ScenarioRun, Window } from '../lib/scenario-run.ts';
import { gopPauseMs, publishRtmp, streamKbps } from './http-flv.ts';
import { isMergeVariant, type Scale, type Scenario, scaled, windowSeconds } from './scenario.ts';
import { longestPublishSeconds, publisherKbps } from './webrtc.ts';

/** Above it, viewers see the server's load. */
const mostLatencyMs = 100;
const stepPauseMs = 3_000;
const parsedViewers = 20;
const pulledStreams = 20;
const copySeconds = 10;

interface Step {
  readonly viewers: number;
  readonly p99: number;
  readonly faults: number;
  readonly window?: Window;
}

interface Capacity {
  readonly id: string;
  readonly title: string;
  readonly kbps: number;
  /** Viewers of the first step, and how many more each further step has. */
  readonly from: number;
  readonly by: number;
  readonly most: number;
  publish(run: ScenarioRun): Promise<unknown>;
  /** A tool that measures with so many viewers. */
  load(run: ScenarioRun, viewers: number, seconds: number): Tool;
  /** What the tool told. */
  read(result: unknown): { p99: number; faults: number };
}

/** More and more viewers, until the slowest hundredth of the frames is late or somebody is refused. */
function capacity({ id, title, kbps, from, by, most, publish, load, read }: Capacity): Scenario {
  const steps = (most - from) / by + 1;
  return {
    id,
    title,
    table: 'capacity',
    isQuick: false,
    isLong: true,
    rounds: 1,
    estimatedSeconds: 10 + steps * 12,
    suits: (server) => server.isProduct && !isMergeVariant(server),
    run: async (run, scale) => {
      await run.startServer();
      await publish(run);
      const done: Step[] = [];
      for (let viewers = from; viewers <= most; viewers += by) {
        const count = scaled(viewers, scale);
        await run.measure('viewers', load(run, count, windowSeconds(6, scale)));
        const step = {
          viewers: count,
          ...read(run.record.tools.viewers),
          ...(run.record.window && { window: run.record.window }),
        };
        if (step.p99 > mostLatencyMs || step.faults > 0) {
          run.record.tools.failed = step;
          break;
        }
        done.push(step);
        await delay(stepPauseMs);
      }
      const last = done.at(-1);
      run.record.facts = { viewers: last?.viewers ?? 0, kbps, gateways: gatewayCount(run.server) };
      if (last?.window) run.record.window = last.window;
      run.record.tools.capacity = { viewers: last?.viewers ?? 0, p99: last?.p99, steps: done };
    },
  };
}

interface FlvResult {
  readonly lat_video: { readonly p99: number };
  readonly failed: number;
  readonly http_err: number;
  readonly disconnects: number;
}

interface WhepResult {
  readonly latencyMs: { readonly p99: number };
  readonly failed: number;
  readonly stuck: number;
}

const flvCapacity = capacity({
  id: 'capacity-flv',
  title: `Viewers of ${streamKbps / 1000} Mbps over HTTP-FLV held at a p99 of ${mostLatencyMs} ms`,
  kbps: streamKbps,
  from: 1_000,
  by: 500,
  most: 8_000,
  publish: publishRtmp,
  load: (run, viewers, seconds) =>
    run.program('flvload', [
      ...['-c', viewers, '-k', Math.min(viewers, parsedViewers), '-r', 400, '-s', 2, '-t', seconds],
      run.address(run.server.flv),
    ]),
  read: (result) => {
    const { lat_video, failed, http_err, disconnects } = result as FlvResult;
    return { p99: lat_video.p99, faults: failed + http_err + disconnects };
  },
});

const whepCapacity = capacity({
  id: 'capacity-whep',
  title: `Viewers of ${publisherKbps / 1000} Mbps over WHEP held at a p99 of ${mostLatencyMs} ms`,
  kbps: publisherKbps,
  from: 50,
  by: 50,
  most: 1_000,
  publish: async (run) => {
    const url = run.address(run.server.whip);
    await run.untilReady(
      run.tool('whip-pub', ['--url', url, '--kbps', publisherKbps, '--time', longestPublishSeconds]),
    );
    await delay(gopPauseMs);
  },
  load: (run, viewers, seconds) =>
    run.tool('whep-load', [
      ...['--url', run.address(run.server.whep), '--viewers', viewers, '--ramp', 50, '--settle', 2, '--time', seconds],
    ]),
  read: (result) => {
    const { latencyMs, failed, stuck } = result as WhepResult;
    return { p99: latencyMs.p99, faults: failed + stuck };
  },
});

const copies: Scenario = {
  id: 'copies',
  title: `${pulledStreams} streams of ${streamKbps / 1000} Mbps watched in the gateway that does not have them`,
  table: 'copies',
  isQuick: false,
  rounds: 2,
  estimatedSeconds: 70,
  suits: (server) => server.isProduct && gatewayCount(server) === 2,
  run: async (run, scale: Scale) => {
    const streams = scaled(pulledStreams, scale);
    run.record.facts = { streams, kbps: streamKbps };
    await run.startServer();
    const publishers = run.tool('rtmp-pub', [
      ...['--url', run.address(run.server.rtmp, '_{i}'), '--count', streams, '--kbps', streamKbps],
      ...['--time', longestPublishSeconds],
    ]);
    await run.untilReady(publishers);
    await delay(gopPauseMs);
    const viewers = run.tool('copies', [
      ...[
        '--url',
        run.address(run.server.flv, '_{i}'),
        '--streams',
        streams,
        '--time',
        windowSeconds(copySeconds, scale),
      ],
      ...['--folder', join(run.server.env?.DATA_DIR ?? '', 'run')],
    ]);
    await run.measure('copies', viewers);
    await run.noteResult('publisher', publishers, 'stop');
  },
};

export const gatewayScenarios = [copies, flvCapacity, whepCapacity];
