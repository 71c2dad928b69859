// RTMP in, RTSP out over TCP and UDP. For comparison, HTTP-FLV viewers and WHEP viewers in equal number are measured.
// Each protocol has a new server with one publisher of equal bitrate; WHEP has a WHIP publisher.
import { setTimeout as delay } from 'node:timers/promises';
import { ports } from '../conf/ports.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';
import { gopPauseMs, publishRtmp, streamKbps } from './http-flv.ts';
import { isMergeVariant, type Scenario, scaled, windowSeconds } from './scenario.ts';
import { longestPublishSeconds } from './webrtc.ts';

const viewersOfEach = 100;
const rampPerSecond = 50;
const settleSeconds = 3;
const seconds = 15;

type Way = 'flv' | 'tcp' | 'udp' | 'whep';

function viewersOf(run: ScenarioRun, way: Way, viewers: number, window: number) {
  const { server } = run;
  if (way === 'flv') {
    // `-p` parses the bytes of all viewers, as the RTSP tool does.
    const args = ['-c', viewers, '-p', '-r', rampPerSecond, '-s', settleSeconds, '-t', window];
    return run.program('flvload', [...args, run.address(server.flv)]);
  }
  const timing = ['--viewers', viewers, '--ramp', rampPerSecond, '--settle', settleSeconds, '--time', window];
  if (way === 'whep') return run.tool('whep-load', ['--url', run.address(server.whep), ...timing]);
  return run.tool('rtsp-load', ['--url', run.address(server.rtsp), '--transport', way, ...timing]);
}

async function publish(run: ScenarioRun, way: Way) {
  if (way !== 'whep') return publishRtmp(run);
  const options = ['--kbps', streamKbps, '--time', longestPublishSeconds];
  const publisher = run.tool('whip-pub', ['--url', run.address(run.server.whip), ...options]);
  await run.untilReady(publisher);
  await delay(gopPauseMs);
  return publisher;
}

function scenario(way: Way, title: string): Scenario {
  return {
    id: `rtsp100-${way}`,
    title: `${title}, ${viewersOfEach} viewers of ${streamKbps / 1000} Mbps`,
    table: 'rtsp',
    isQuick: false,
    isLong: true,
    rounds: 3,
    estimatedSeconds: 30,
    suits: (server) => server.rtsp !== undefined && !isMergeVariant(server),
    run: async (run, scale) => {
      const viewers = scaled(viewersOfEach, scale);
      run.record.facts = { viewers, kbps: streamKbps };
      await run.startServer({ RTSP_UDP_LISTEN: `127.0.0.1:${ports.rtspUdp}` });
      const publisher = await publish(run, way);
      await run.measure('viewers', viewersOf(run, way, viewers, windowSeconds(seconds, scale)));
      await run.noteResult('publisher', publisher, 'stop');
    },
  };
}

export const rtspScenarios: readonly Scenario[] = [
  scenario('flv', 'HTTP-FLV for comparison'),
  scenario('tcp', 'RTSP over TCP'),
  scenario('udp', 'RTSP over UDP'),
  scenario('whep', 'WHEP for comparison'),
];
