// Cameras that the engine pulls over RTSP. For comparison, RTMP publishers in equal number send the same stream in the same run.
import { setTimeout as delay } from 'node:timers/promises';
import { ports } from '../conf/ports.ts';
import { processFigures } from '../lib/process-figures.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';
import { callFfmpeg, untilMet, workerRows } from '../lib/worker-processes.ts';
import { streamKbps } from './http-flv.ts';
import { switchHlsOff } from './ingest.ts';
import { isMergeVariant, type Scenario, scaled, windowSeconds } from './scenario.ts';

const cameras = 50;
/** Wait for the end of the initial burst, milliseconds. */
const settleMs = 3_000;

async function coresDuring(run: ScenarioRun, work: Promise<unknown>): Promise<number> {
  const [before, startedAt] = [processFigures(run.mediaPid), performance.now()];
  await work;
  const { cpu } = processFigures(run.mediaPid);
  return ((cpu - before.cpu) * 1_000) / (performance.now() - startedAt);
}

const allRun = (): Promise<number> =>
  untilMet('all cameras are on the air', async () =>
    (await workerRows('camera')).every(({ state }) => state === 'running'),
  );

async function addCameras(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const target = `rtsp://127.0.0.1:${ports.cameras}/${index}`;
    const file = { name: 'camera', path: '', size: 0, uuid: `u${index}`, target, type: 'stream' };
    const files = [{ ...file, format: null, video: null, audio: null }];
    const camera = { platform: `camera-${index}`, server: '', secret: `camera-${index}`, enabled: true, custom: true };
    await callFfmpeg('camera/secret', { action: 'update', ...camera, label: '', files });
  }
}

const pull: Scenario = {
  id: 'cameras50',
  title: `${cameras} cameras of 2 Mbps pulled over RTSP, against ${cameras} RTMP publishers, no viewers, HLS off`,
  table: 'camera',
  isQuick: true,
  rounds: 2,
  estimatedSeconds: 75,
  suits: (server) => server.isProduct && !isMergeVariant(server),
  run: async (run, scale) => {
    const count = scaled(cameras, scale);
    const windowMs = windowSeconds(15, scale) * 1_000;
    run.record.facts = { cameras: count, kbps: streamKbps };
    await run.startServer();
    await switchHlsOff(run.server);
    const url = run.address(run.server.rtmp, '_{i}');
    const publish = ['--url', url, '--count', count, '--kbps', streamKbps, '--time', windowMs / 1_000 + 60];
    const publisher = run.tool('rtmp-pub', publish);
    run.record.facts.accepted = await run.untilReady(publisher);
    await delay(settleMs);
    const publisherCores = await coresDuring(run, delay(windowMs));
    await publisher.finish();

    const source = run.tool('rtsp-cameras', ['--port', ports.cameras, '--kbps', streamKbps]);
    await run.untilReady(source);
    const startedAt = performance.now();
    await addCameras(count);
    await allRun();
    const allRunMs = performance.now() - startedAt;
    await delay(settleMs);
    const cores = await coresDuring(run, run.measureFor(windowMs));
    await run.noteResult('source', source, 'stop');

    await untilMet('all cameras are down', async () =>
      (await workerRows('camera')).every(({ state }) => state !== 'running'),
    );
    await run.untilReady(run.tool('rtsp-cameras', ['--port', ports.cameras, '--kbps', streamKbps]));
    const returnMs = await allRun();
    run.record.tools.cameras = { cores, publisherCores, share: cores / publisherCores, allRunMs, returnMs };
    for (const { platform } of await workerRows('camera')) await callFfmpeg('camera/remove', { platform });
  },
};

export const cameraScenarios = [pull];
