// One stream with an increasing number of viewers, for scenarios that find a limit (`gateways.ts`) or draw a curve (`curves.ts`).
import { setTimeout as delay } from 'node:timers/promises';
import { apiSecret } from '../conf/product.ts';
import type { Server } from '../conf/servers.ts';
import type { Tool } from '../lib/child-process.ts';
import { makeClip } from '../lib/clip.ts';
import { postCall } from '../lib/product-api.ts';
import type { ScenarioRun, Window } from '../lib/scenario-run.ts';
import { gopPauseMs, publishRtmp, streamKbps } from './http-flv.ts';
import { longestPublishSeconds, publisherKbps } from './webrtc.ts';

/** Number of HTTP-FLV viewers for which every frame is parsed. */
const parsedViewers = 20;
const stepPauseMs = 3_000;
/** Wait until the playlist has three segments, before viewers connect, milliseconds. */
const beforeHlsViewersMs = 6_000;
const srtLatencyMs = 20;

export interface StepFigures {
  /** Latency of frames, milliseconds. HLS: response time of segments. Low-latency HLS: from the last frame of a part to its arrival. */
  readonly p50: number;
  readonly p99: number;
  /** Number of refused, disconnected or stuck viewers. SRT: missing and truncated frames. HLS: failed requests. */
  readonly faults: number;
}

export interface Step extends StepFigures {
  readonly viewers: number;
  readonly window?: Window;
}

export interface ViewerLoad {
  readonly output: string;
  readonly kbps: number;
  suits(server: Server): boolean;
  publish(run: ScenarioRun): Promise<unknown>;
  /** Starts a tool that connects this many viewers and measures for this many seconds. */
  load(run: ScenarioRun, viewers: number, seconds: number): Tool;
  read(result: unknown): StepFigures;
}

/** Measures one step, then waits until its viewers have disconnected. */
export async function measureStep(run: ScenarioRun, load: ViewerLoad, viewers: number, seconds: number): Promise<Step> {
  await run.measure('viewers', load.load(run, viewers, seconds));
  const measured = load.read(run.record.tools.viewers);
  await delay(stepPauseMs);
  return { viewers, ...measured, ...(run.record.window && { window: run.record.window }) };
}

interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

interface FlvResult {
  readonly lat_video: Quantiles;
  readonly failed: number;
  readonly http_err: number;
  readonly disconnects: number;
}

export const flvLoad: ViewerLoad = {
  output: 'HTTP-FLV',
  kbps: streamKbps,
  suits: ({ rtmp, flv }) => rtmp !== undefined && flv !== undefined,
  publish: publishRtmp,
  load: (run, viewers, seconds) =>
    run.program('flvload', [
      ...['-c', viewers, '-k', Math.min(viewers, parsedViewers), '-r', 400, '-s', 2, '-t', seconds],
      run.address(run.server.flv),
    ]),
  read: (result) => {
    const { lat_video, failed, http_err, disconnects } = result as FlvResult;
    return { p50: lat_video.p50, p99: lat_video.p99, faults: failed + http_err + disconnects };
  },
};

interface WhepResult {
  readonly latencyMs: Quantiles;
  readonly failed: number;
  readonly stuck: number;
}

export const whepLoad: ViewerLoad = {
  output: 'WHEP',
  kbps: publisherKbps,
  suits: ({ whip, whep }) => whip !== undefined && whep !== undefined,
  publish: async (run) => {
    const url = run.address(run.server.whip);
    const args = ['--url', url, '--kbps', publisherKbps, '--time', longestPublishSeconds];
    await run.untilReady(run.tool('whip-pub', args));
    await delay(gopPauseMs);
  },
  load: (run, viewers, seconds) =>
    run.tool('whep-load', [
      ...['--url', run.address(run.server.whep), '--viewers', viewers, '--ramp', 50, '--settle', 2, '--time', seconds],
    ]),
  read: (result) => {
    const { latencyMs, failed, stuck } = result as WhepResult;
    return { p50: latencyMs.p50, p99: latencyMs.p99, faults: failed + stuck };
  },
};

interface SrtResult {
  readonly lat_video: Quantiles;
  readonly missing: number;
  readonly short: number;
}

export const srtLoad: ViewerLoad = {
  output: 'SRT',
  kbps: streamKbps,
  suits: ({ srt }) => (srt?.most ?? 0) > 1,
  publish: async (run) => {
    const clip = makeClip(streamKbps);
    const to = ['-p', run.server.srt!.port, '-n', 1, '-i', run.address(run.server.srt!.publish, '_0')];
    const media = ['-v', clip.h264, '-a', clip.aac, '-l', srtLatencyMs, '-t', longestPublishSeconds];
    await run.untilReady(run.program('srtload', ['pub', ...to, ...media]));
    await delay(gopPauseMs);
  },
  load: (run, viewers, seconds) => {
    const from = ['-p', run.server.srt!.playPort, '-n', viewers, '-i', run.address(run.server.srt!.play, '_0')];
    return run.program('srtload', ['play', ...from, '-l', srtLatencyMs, '-s', 3, '-t', seconds]);
  },
  read: (result) => {
    const { lat_video, missing, short } = result as SrtResult;
    return { p50: lat_video.p50, p99: lat_video.p99, faults: missing + short };
  },
};

interface HlsResult {
  readonly segmentMs?: Quantiles;
  readonly ageMs: Quantiles;
  readonly failures: number;
}

export const hlsLoad: ViewerLoad = {
  output: 'HLS',
  kbps: streamKbps,
  suits: ({ rtmp, hls }) => rtmp !== undefined && hls !== undefined,
  publish: async (run) => {
    await publishRtmp(run);
    await delay(beforeHlsViewersMs);
  },
  load: (run, viewers, seconds) =>
    run.tool('hls-load', [
      ...['--url', run.address(run.server.hls), '--viewers', viewers, '--ramp', 100, '--settle', 6, '--time', seconds],
    ]),
  read: (result) => {
    const { segmentMs, failures } = result as HlsResult;
    return { p50: segmentMs?.p50 ?? 0, p99: segmentMs?.p99 ?? 0, faults: failures };
  },
};

export const lowLatencyHlsLoad: ViewerLoad = {
  ...hlsLoad,
  output: 'low-latency HLS',
  suits: ({ isProduct }) => isProduct,
  publish: async (run) => {
    await postCall('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true }, apiSecret);
    await publishRtmp(run);
    await delay(beforeHlsViewersMs);
  },
  load: (run, viewers, seconds) => {
    const url = run.address(run.server.hls).replace(/\.m3u8$/, '.ll.m3u8');
    return run.tool('ll-hls-load', [
      ...['--url', url, '--viewers', viewers, '--ramp', 100, '--settle', 6, '--time', seconds],
    ]);
  },
  read: (result) => {
    const { ageMs, failures } = result as HlsResult;
    return { p50: ageMs.p50, p99: ageMs.p99, faults: failures };
  },
};
