// HLS: time from publishing to the first playlist with a segment, and many viewers. Low-latency HLS: many players, and a browser.
import { setTimeout as delay } from 'node:timers/promises';
import { apiSecret } from '../conf/product.ts';
import { postCall } from '../lib/product-api.ts';
import { quantiles } from '../lib/quantiles.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';
import { publishRtmp, streamKbps } from './http-flv.ts';
import { isMergeVariant, type Scenario, scaled, windowSeconds } from './scenario.ts';

const publications = 5;
const pollMs = 10;
const playlistTimeoutMs = 20_000;
/** Wait until the playlist has three segments, before viewers connect, milliseconds. */
const beforeViewersMs = 6_000;

/** Milliseconds until the media playlist lists a segment; `url` may be a master playlist. */
async function untilFirstSegment(url: string): Promise<number> {
  const startedAt = performance.now();
  let address = url;
  for (; performance.now() - startedAt < playlistTimeoutMs; await delay(pollMs)) {
    const response = await fetch(address);
    const text = await response.text();
    if (!response.ok) continue;
    if (/#EXTINF/.test(text)) return performance.now() - startedAt;
    const variant = /#EXT-X-STREAM-INF[^\n]*\n([^#\n]+)/.exec(text)?.[1];
    if (variant) address = new URL(variant.trim(), address).href;
  }
  throw new Error('no HLS playlist listed a segment in time');
}

async function runFirstPlaylist(run: ScenarioRun, count: number): Promise<void> {
  run.record.facts = { publications: count, kbps: streamKbps, gopMs: 2_000 };
  await run.startServer();
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const url = run.address(run.server.rtmp, `_${index}`);
    const publisher = run.tool('rtmp-pub', ['--url', url, '--kbps', streamKbps, '--time', 60]);
    await run.untilReady(publisher);
    times.push(await untilFirstSegment(run.address(run.server.hls, `_${index}`)));
    await publisher.finish();
  }
  run.record.tools.playlist = quantiles(times);
}

const firstPlaylist: Scenario = {
  id: 'hls-first',
  title: 'Publish accepted to the first playlist with a segment, GOP 2 s',
  table: 'hls-first',
  isQuick: true,
  rounds: 1,
  estimatedSeconds: 22,
  suits: (server) => server.hls !== undefined && !isMergeVariant(server),
  run: (run, scale) => runFirstPlaylist(run, scaled(publications, scale)),
};

const viewers: Scenario = {
  id: 'hls500',
  title: '500 HLS viewers of 2 Mbps',
  table: 'hls',
  isQuick: false,
  rounds: 1,
  estimatedSeconds: 55,
  suits: (server) => server.hls !== undefined && !isMergeVariant(server),
  run: async (run, scale) => {
    const count = scaled(500, scale);
    run.record.facts = { viewers: count, kbps: streamKbps };
    await run.startServer();
    const publisher = await publishRtmp(run);
    await delay(beforeViewersMs);
    const load = ['--viewers', count, '--ramp', 50, '--settle', 6, '--time', windowSeconds(20, scale)];
    await run.measure('viewers', run.tool('hls-load', ['--url', run.address(run.server.hls), ...load]));
    await run.noteResult('publisher', publisher, 'stop');
  },
};

/** A few players measure the latency and many players the load. Requests of many players delay each other and distort the latency. */
const lowLatency = (players: number): Scenario => ({
  id: `ll-hls${players}`,
  title: `${players} players of low-latency HLS of 2 Mbps`,
  table: 'll-hls',
  isQuick: false,
  rounds: 1,
  estimatedSeconds: 55,
  suits: (server) => server.isProduct && !isMergeVariant(server),
  run: async (run, scale) => {
    const count = scaled(players, scale);
    run.record.facts = { viewers: count, kbps: streamKbps };
    await run.startServer();
    await postCall('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true }, apiSecret);
    const publisher = await publishRtmp(run);
    await delay(beforeViewersMs);
    const url = run.address(run.server.hls).replace(/\.m3u8$/, '.ll.m3u8');
    const load = ['--viewers', count, '--ramp', 50, '--settle', 6, '--time', windowSeconds(20, scale)];
    await run.measure('viewers', run.tool('ll-hls-load', ['--url', url, ...load]));
    await run.noteResult('publisher', publisher, 'stop');
  },
});

/** @param seconds of playback; ten minutes show whether a player runs out of media. */
function lowLatencyBrowser(id: string, seconds: number, isLong: boolean): Scenario {
  return {
    id,
    title: `Low-latency HLS in a browser for ${seconds} s: from drawing a frame to showing it (Chromium 30 fps, WHIP to hls.js)`,
    table: 'browser-ll-hls',
    isQuick: false,
    isLong,
    rounds: 1,
    estimatedSeconds: seconds + 30,
    suits: (server) => server.isProduct && server.whip !== undefined && !isMergeVariant(server),
    run: async (run, scale) => {
      await run.startServer();
      await postCall('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true }, apiSecret);
      const playlist = run.address(run.server.hls).replace(/\.m3u8$/, '.ll.m3u8');
      const page = new URL(`/tools/player.html?autostart=true&url=${encodeURIComponent(playlist)}`, playlist).href;
      const addresses = ['--whip', run.address(run.server.whip), '--page', page, '--playlist', playlist];
      const time = isLong ? seconds : windowSeconds(seconds, scale);
      await run.measure('browser', run.tool('browser-clock', [...addresses, '--time', time]));
    },
  };
}

export const hlsScenarios = [
  firstPlaylist,
  viewers,
  lowLatency(50),
  lowLatency(500),
  lowLatencyBrowser('browser-ll-hls', 20, false),
  lowLatencyBrowser('browser-ll-hls-long', 600, true),
];
