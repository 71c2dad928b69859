// Forwards that the engine sends without FFmpeg: many targets of one stream.
import { ports } from '../conf/ports.ts';
import { processFigures } from '../lib/process-figures.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';
import { callFfmpeg, untilFirstByte, untilMet, workerRows } from '../lib/worker-processes.ts';
import { streamKbps } from './http-flv.ts';
import { isMergeVariant, type Scenario, scaled, windowSeconds } from './scenario.ts';
import { publishTwoMegabits } from './workers.ts';

const targets = 100;

interface SinkResult {
  readonly connections: number;
  readonly streams: number;
  readonly leastBytes: number;
  readonly mostBytes: number;
}

async function measureAlone(run: ScenarioRun, seconds: number) {
  const before = processFigures(run.mediaPid);
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const { cpu, rssBytes } = processFigures(run.mediaPid);
  return { cores: ((cpu - before.cpu) * 1_000) / (performance.now() - startedAt), rssBytes };
}

const push: Scenario = {
  id: 'push100',
  title: `${targets} targets of one stream of 2 Mbps, sent by the engine`,
  table: 'push',
  isQuick: true,
  rounds: 1,
  estimatedSeconds: 60,
  suits: (server) => server.isProduct && !isMergeVariant(server),
  run: async (run, scale) => {
    const count = scaled(targets, scale);
    const seconds = windowSeconds(15, scale);
    run.record.facts = { targets: count, kbps: streamKbps };
    const sink = run.tool('rtmp-sink', ['--port', ports.pushTarget]);
    await run.untilReady(sink);
    await run.startServer({ FORWARD_WITH: 'engine' });
    publishTwoMegabits(run);
    await untilFirstByte(run.address(run.server.flv));
    const alone = await measureAlone(run, seconds);
    const server = `rtmp://127.0.0.1:${ports.pushTarget}/live`;
    const startedAt = performance.now();
    for (let index = 0; index < count; index++) {
      const target = { platform: `forwarding-${index}`, server, secret: `target-${index}`, stream: run.stream };
      await callFfmpeg('forward/secret', { action: 'update', ...target, enabled: true });
    }
    await untilMet('all run', async () => (await workerRows('forward')).every(({ state }) => state === 'running'));
    const allRunMs = performance.now() - startedAt;
    const before = processFigures(run.mediaPid);
    const windowAt = performance.now();
    await run.measureFor(seconds * 1_000);
    const after = processFigures(run.mediaPid);
    const cores = ((after.cpu - before.cpu) * 1_000) / (performance.now() - windowAt);
    const rows = await workerRows('forward');
    run.record.tools.pushes = {
      cores: Math.max(0, cores - alone.cores),
      megabytes: (after.rssBytes - alone.rssBytes) / 1e6,
      allRunMs,
      restarts: rows.reduce((sum, { restarts }) => sum + restarts, 0),
    };
    const { connections, leastBytes, mostBytes } = (await sink.finish()) as SinkResult;
    run.record.tools.targets = {
      leastShare: (100 * leastBytes) / mostBytes,
      moreConnections: connections - count,
    };
    for (const { platform } of rows) await callFfmpeg('forward/remove', { platform });
  },
};

export const pushScenarios = [push];
