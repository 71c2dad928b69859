// Several gateways on one machine: the maximum number of viewers, and the cost of copying a stream from another gateway.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gatewayCount } from '../conf/servers.ts';
import { gopPauseMs, streamKbps } from './http-flv.ts';
import { isMergeVariant, type Scale, type Scenario, scaled, windowSeconds } from './scenario.ts';
import { flvLoad, measureStep, type Step, type ViewerLoad, whepLoad } from './viewer-steps.ts';
import { longestPublishSeconds } from './webrtc.ts';

/** Highest acceptable latency, milliseconds. A higher latency means that the server is overloaded. */
const mostLatencyMs = 100;
const pulledStreams = 20;
const copySeconds = 10;

interface Capacity {
  readonly id: string;
  readonly load: ViewerLoad;
  /** Viewers in the first step; each further step adds `by` viewers. */
  readonly from: number;
  readonly by: number;
  readonly most: number;
}

/** Adds viewers until the 99th percentile of the latency exceeds the limit or a viewer fails. */
function capacity({ id, load, from, by, most }: Capacity): Scenario {
  const steps = (most - from) / by + 1;
  return {
    id,
    title: `Viewers of ${load.kbps / 1000} Mbps over ${load.output} held at a p99 of ${mostLatencyMs} ms`,
    table: 'capacity',
    isQuick: false,
    isLong: true,
    rounds: 1,
    estimatedSeconds: 10 + steps * 12,
    suits: (server) => server.isProduct && !isMergeVariant(server),
    run: async (run, scale) => {
      await run.startServer();
      await load.publish(run);
      const done: Step[] = [];
      for (let viewers = from; viewers <= most; viewers += by) {
        const step = await measureStep(run, load, scaled(viewers, scale), windowSeconds(6, scale));
        if (step.p99 > mostLatencyMs || step.faults > 0) {
          run.record.tools.failed = step;
          break;
        }
        done.push(step);
      }
      const last = done.at(-1);
      run.record.facts = { viewers: last?.viewers ?? 0, kbps: load.kbps, gateways: gatewayCount(run.server) };
      if (last?.window) run.record.window = last.window;
      run.record.tools.capacity = { viewers: last?.viewers ?? 0, p99: last?.p99, steps: done };
    },
  };
}

const flvCapacity = capacity({ id: 'capacity-flv', load: flvLoad, from: 1_000, by: 500, most: 8_000 });
const whepCapacity = capacity({ id: 'capacity-whep', load: whepLoad, from: 50, by: 50, most: 1_000 });

const copies: Scenario = {
  id: 'copies',
  title: `${pulledStreams} streams of ${streamKbps / 1000} Mbps watched at a gateway that pulls copies of them`,
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
