// SRT in; HTTP-FLV and SRT out, over a network without loss and through a lossy relay.
import { setTimeout as delay } from 'node:timers/promises';
import { ports } from '../conf/ports.ts';
import { makeClip } from '../lib/clip.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';
import { gopPauseMs } from './http-flv.ts';
import { isMergeVariant, type Scenario, scaled, windowSeconds } from './scenario.ts';

const longestPublishSeconds = 420;
const settleSeconds = 3;
/** Latency that a player requests, milliseconds. SRT uses the larger value of both ends. */
const playLatencyMs = 20;
const relayDelayMs = 30;
const overheadKbps = 130;

interface SrtLoad {
  readonly id: string;
  readonly title: string;
  readonly streams: number;
  readonly kbps: number;
  readonly latencyMs: number;
  readonly seconds: number;
  /** Share of datagrams that a relay drops in each direction; without it, no relay is used. */
  readonly loss?: number;
  readonly isQuick?: boolean;
  readonly isLong?: boolean;
}

async function startRelay(run: ScenarioRun, to: number, loss: number) {
  const args = ['--listen', ports.relay, '--to', `127.0.0.1:${to}`, '--seed', run.record.round];
  const relay = run.tool('loss-relay', [...args, '--loss', loss, '--delay', relayDelayMs]);
  await run.untilReady(relay);
  return relay;
}

async function runSrt(run: ScenarioRun, load: SrtLoad, streams: number, seconds: number): Promise<void> {
  const srt = run.server.srt!;
  const { kbps, latencyMs, loss } = load;
  run.record.facts = { streams, kbps, latencyMs, lossShare: loss ?? 0 };
  const clip = makeClip(kbps - overheadKbps);
  await run.startServer();
  const relay = loss === undefined ? undefined : await startRelay(run, srt.port, loss);
  const publishTo = ['-p', relay ? ports.relay : srt.port, '-n', streams, '-i', run.address(srt.publish, '_{i}')];
  const media = ['-v', clip.h264, '-a', clip.aac, '-l', latencyMs, '-t', longestPublishSeconds];
  const publisher = run.program('srtload', ['pub', ...publishTo, ...media]);
  await run.untilReady(publisher);
  await delay(gopPauseMs);

  const play = () => {
    const from = ['-p', srt.playPort, '-n', 1, '-i', run.address(srt.play, '_0')];
    return run.program('srtload', ['play', ...from, '-l', playLatencyMs, '-s', settleSeconds, '-t', seconds]);
  };
  if (run.server.flv) {
    const flv = run.address(run.server.flv, `_${streams >> 1}`);
    const viewer = run.program('flvload', ['-c', 1, '-k', 1, '-s', settleSeconds, '-t', seconds, flv]);
    const player = streams === 1 ? play() : undefined;
    await run.measure('flv', viewer);
    if (player) await run.noteResult('srt', player);
  } else await run.measure('srt', play());
  await run.noteResult('publisher', publisher, 'stop');
  if (relay) await run.noteResult('relay', relay, 'stop');
}

function scenario(load: SrtLoad): Scenario {
  return {
    id: load.id,
    title: load.title,
    table: 'srt',
    isQuick: load.isQuick ?? false,
    ...(load.isLong && { isLong: true }),
    rounds: 1,
    estimatedSeconds: load.seconds + 14,
    suits: (server) => server.srt !== undefined && server.srt.most >= load.streams && !isMergeVariant(server),
    run: (run, scale) => runSrt(run, load, scaled(load.streams, scale), windowSeconds(load.seconds, scale)),
  };
}

function clean(id: string, streams: number, mbps: number, isQuick = false): Scenario {
  const title = `${streams} SRT stream${streams > 1 ? 's' : ''} of ${mbps} Mbps, latency 120 ms`;
  return scenario({ id, title, streams, kbps: mbps * 1000, latencyMs: 120, seconds: 15, isQuick });
}

function lossy(id: string, percent: number, latencyMs: number, isQuick = false): Scenario {
  const title = `SRT, 2 Mbps, ${percent} % loss each way, round trip 60 ms, latency ${latencyMs} ms`;
  return scenario({ id, title, streams: 1, kbps: 2_000, latencyMs, seconds: 20, loss: percent / 100, isQuick });
}

export const srtScenarios = [
  clean('srt1', 1, 2, true),
  clean('srt1-4mbps', 1, 4),
  clean('srt20', 20, 2),
  lossy('loss1', 1, 400),
  lossy('loss5', 5, 400),
  lossy('loss10', 10, 400, true),
  lossy('tight10', 10, 120),
  scenario({
    id: 'loss10-long',
    title: 'SRT, 4 Mbps for 5 minutes, 10 % loss each way, round trip 60 ms, latency 400 ms',
    streams: 1,
    kbps: 4_000,
    latencyMs: 400,
    seconds: 300,
    loss: 0.1,
    isLong: true,
  }),
];
