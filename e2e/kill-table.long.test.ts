// Kills parts of a cluster: node, gateway, control plane, Redis, and combinations (docs/explanation/scale.md).
// Meanwhile encoders over RTMP, SRT and WHIP, viewers of every output except RTSP, recordings, forwards and virtual live
// streams run.
// Prints the longest interruption of encoders, viewers, tasks and settings.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasRedis } from '../packages/platform/src/testing/redis-server.ts';
import { patience } from '../scripts/test-run/patience.ts';
import { stopAllFfmpeg } from './support/ffmpeg.ts';
import { Encoder } from './support/kill-table/encoders.ts';
import { KeptSettings } from './support/kill-table/kept-settings.ts';
import { type KillRow, killTable } from './support/kill-table/kill-rows.ts';
import { NodeCluster, type NodeName, nodeNames, type Victim } from './support/kill-table/node-cluster.ts';
import { type OutputName, outputNames, outputs } from './support/kill-table/outputs.ts';
import { RecordedFrames } from './support/kill-table/recorded-frames.ts';
import { Tasks } from './support/kill-table/tasks.ts';
import { Viewer } from './support/kill-table/viewer.ts';
import { until } from './support/until.ts';

const artifacts = fileURLToPath(new URL('../artifacts', import.meta.url));
/** Time without a problem until a killed part counts as recovered, milliseconds. The test also waits this time before the next kill. */
const steadyMs = 2_000;
/** Protocols, and the node that the encoder of each connects to first. */
const streams = [
  { stream: 'rtmp', node: 'a' },
  { stream: 'srt', node: 'b' },
  { stream: 'whip', node: 'c' },
] as const;
/** Kills of a usual run: one of each kind. KILL_TABLE runs all kills of the documented table, which takes eight minutes. */
const kinds: readonly (readonly Victim[])[] = [
  ['gateway a'],
  ['platform b'],
  ['node c'],
  ['Redis'],
  ['Redis', 'gateway a'],
];
const all: readonly (readonly Victim[])[] = [
  ...nodeNames.flatMap((name): Victim[][] => [[`gateway ${name}`], [`platform ${name}`], [`node ${name}`]]),
  ['Redis'],
  ['gateway a', 'gateway b'],
  ['gateway b', 'platform b'],
  ['gateway c', 'platform a'],
  ['platform a', 'platform c'],
  ['node a', 'gateway c'],
  ['node b', 'platform c'],
  ['node b', 'node c'],
  ['Redis', 'gateway a'],
  ['Redis', 'platform b'],
  ['Redis', 'node c'],
];
const kills = process.env.KILL_TABLE ? all : kinds;

describe.skipIf(!hasRedis)('a cluster of three whose parts are killed', { timeout: 240_000 * patience }, () => {
  let cluster: NodeCluster;
  let tasks: Tasks;
  let settings: KeptSettings;
  let query: string;
  let encoders: Encoder[] = [];
  let viewers: Viewer[] = [];
  const recorded = new RecordedFrames();
  const rows: KillRow[] = [];

  beforeAll(async () => {
    cluster = await NodeCluster.start();
    const admin = cluster.console('a');
    const { publish } = await admin.call(endpoints.queryPublishSecret, {});
    query = `secret=${publish}`;
    await admin.call(endpoints.applyRecord, { all: true });
    await admin.call(endpoints.updateLowLatencyHls, { hlsLowLatency: true });
    settings = new KeptSettings(cluster);
    tasks = await Tasks.start(
      admin,
      streams.map(({ stream }) => stream),
    );
  }, 240_000 * patience);
  afterAll(async () => {
    const table = killTable(rows);
    mkdirSync(artifacts, { recursive: true });
    writeFileSync(join(artifacts, 'kill-table.md'), `${table}\n`);
    console.info(table);
    await settings?.stop();
    await tasks?.remove();
    await stopAllFfmpeg();
    await cluster?.remove();
  });

  /** Disconnects all clients and restores the cluster, because leftovers would disturb the next test. */
  afterEach(async () => {
    await leave();
    await cluster.restore();
    await recorded.since(nodeNames.map((each) => cluster.product(each)));
  });

  const from = (first: NodeName): NodeName[] => {
    const at = nodeNames.indexOf(first);
    return [...nodeNames.slice(at), ...nodeNames.slice(0, at)];
  };
  function publishAddress(stream: string, node: NodeName): string {
    const product = cluster.product(node);
    if (stream === 'rtmp') return product.rtmpUrl(`rtmp?${query}`);
    if (stream === 'srt') return product.srtUrl('live/srt', query);
    return `${product.url}/rtc/v1/whip/?app=live&stream=whip&${query}`;
  }
  function come(): void {
    encoders = streams.map(({ stream, node }) => {
      const addresses = from(node).map((each) => publishAddress(stream, each));
      return new Encoder(stream, addresses, 0);
    });
    viewers = streams.flatMap(({ stream }, row) =>
      outputNames.map((output, column) => {
        const first = nodeNames[(row + column) % nodeNames.length]!;
        const place = (node: NodeName) => ({ node, url: outputs[output].address(cluster.product(node), stream) });
        return new Viewer({ output, stream, places: from(first).map(place) });
      }),
    );
  }
  async function leave(): Promise<number> {
    await Promise.all(viewers.map((viewer) => viewer.leave()));
    await Promise.all(encoders.map((encoder) => encoder.stop()));
    return encoders.reduce((sum, { frames }) => sum + frames, 0);
  }

  /** Names of everything that has not worked since this time (`performance.now()`). */
  async function trouble(since: number): Promise<string[]> {
    const consoles = cluster.living.map((name) => cluster.console(name));
    const isRunning = await tasks.areRunning(consoles[0]!).catch(() => false);
    const tables = await Promise.all(
      consoles.map((each) =>
        each.call(endpoints.queryStreams, {}).then(
          (response) => response.streams.length,
          () => -1,
        ),
      ),
    );
    return [
      ...streams
        .filter((_, index) => !(encoders[index]!.pauses.lastAt > since))
        .map(({ stream }) => `encoder of ${stream}`),
      ...viewers.filter((viewer) => !viewer.isPlaying(since)).map(({ output, stream }) => `${output} of ${stream}`),
      ...(isRunning ? [] : ['tasks']),
      ...(settings.isSaving(since) ? [] : ['settings']),
      ...tables.filter((count) => count !== streams.length).map((count) => `a table of ${count} streams`),
    ];
  }
  /** Waits until everything has worked for `steadyMs`. Resolves with the start of this period (`performance.now()`). */
  async function whenWell(since: number): Promise<number> {
    let wellAt: number | undefined;
    let last: string[] = [];
    await until('everything works again', async () => {
      last = await trouble(since);
      wellAt = last.length === 0 ? (wellAt ?? performance.now()) : undefined;
      return wellAt !== undefined && performance.now() - wellAt > steadyMs;
    }).catch((error: Error) => {
      throw new Error(`${error.message}: ${last.join(', ')}`);
    });
    return wellAt!;
  }
  const longest = (of: readonly Viewer[]) => Math.max(...of.map(({ pauses }) => pauses.longestMs));

  it.each(kills.map((victims) => ({ victims, name: victims.join(', ') })))('$name', async ({ victims, name }) => {
    come();
    await whenWell(performance.now());
    const hit = new Set(victims.filter((victim) => !victim.startsWith('platform')).map((victim) => victim.at(-1)));
    // The node to which each encoder is connected: on a busy machine not always the first node, because a node can lose its lease.
    const nodeOf = new Map<string, NodeName>(
      streams.map(({ stream, node }, index) => [stream, from(node)[encoders[index]!.at]!]),
    );
    const untouched = viewers.filter(
      ({ output, node, stream }) => !output.includes('HLS') && !hit.has(node) && !hit.has(nodeOf.get(stream)),
    );
    const attempts = untouched.map((viewer) => viewer.attempts);
    for (const { pauses } of [...viewers, ...encoders, settings]) pauses.forget();
    tasks.forget();
    const killedAt = performance.now();
    await cluster.kill(victims);
    const recoveryMs = (await whenWell(killedAt)) - killedAt;
    const results = {
      ...{ killed: name, recoveryMs, untouchedMs: untouched.length === 0 ? undefined : longest(untouched) },
      viewers: Object.fromEntries(
        outputNames.map((output) => [output, longest(viewers.filter((viewer) => viewer.output === output))]),
      ) as Record<OutputName, number>,
      encodersMs: Math.max(...encoders.map(({ pauses }) => pauses.longestMs)),
      ...{ tasksMs: tasks.longestMs, settingsMs: settings.pauses.longestMs, doubled: tasks.doubled },
    };
    const framesSent = await leave();
    await cluster.restore();
    const framesRecorded = await recorded.since(nodeNames.map((each) => cluster.product(each)));
    const row = { ...results, framesSent, framesRecorded, lost: await settings.lost() };
    rows.push(row);
    console.info(killTable([row]).split('\n').at(-1));
    expect(row).toMatchObject({ doubled: 0, lost: 0 });
    expect(
      untouched.map((viewer) => viewer.attempts),
      'viewers of parts that were not killed stay connected',
    ).toEqual(attempts);
    await delay(steadyMs);
  });
});
