// RTSP viewers over TCP or UDP: bytes, RTP gaps and the time to the first packet. The viewers count packets and do not decode.
//
//   node rtsp-load.ts --url rtsp://127.0.0.1:28054/live/s0 --transport tcp --viewers 100 --ramp 50 --settle 2 --time 15
//
// Prints WINDOW_START / WINDOW_END and "RESULT {json}", with the field names of flvload for equal measurements.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loopbackUrl } from '../lib/loopback.ts';
import { quantiles } from '../lib/quantiles.ts';
import { RtspViewer } from '../lib/rtsp-viewer.ts';
import { cpuSeconds, FirstError, printResult, printWindow } from '../lib/tool-output.ts';

const maxViewers = 1_000;
const maxSeconds = 900;

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    transport: { type: 'string', default: 'tcp' },
    viewers: { type: 'string', default: '1' },
    ramp: { type: 'string', default: '50' },
    settle: { type: 'string', default: '2' },
    time: { type: 'string', default: '10' },
  },
});
const transport = values.transport === 'udp' ? 'udp' : 'tcp';
if (!values.url.startsWith('rtsp://')) {
  console.error('--url rtsp://127.0.0.1:port/app/stream [--transport tcp|udp]');
  process.exit(2);
}
const { hostname, port } = loopbackUrl(values.url);
const firstError = new FirstError();

async function join(count: number): Promise<RtspViewer[]> {
  const startedAt = performance.now();
  const viewers: RtspViewer[] = [];
  const opened: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const waitMs = startedAt + (index * 1000) / Number(values.ramp) - performance.now();
    if (waitMs > 0) await delay(waitMs);
    const viewer = new RtspViewer({ url: values.url, hostname, port: Number(port), transport });
    viewers.push(viewer);
    opened.push(viewer.open().catch((error) => firstError.note(error)));
  }
  await Promise.all(opened);
  return viewers;
}

const viewers = await join(Math.min(Number(values.viewers), maxViewers));
await delay(Number(values.settle) * 1000);
for (const viewer of viewers) viewer.reset();
const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
printWindow('START');
await delay(Math.min(Number(values.time), maxSeconds) * 1000);
printWindow('END');
const seconds = (performance.now() - startedAt) / 1000;
const sum = (figure: (viewer: RtspViewer) => number): number => viewers.reduce((total, one) => total + figure(one), 0);
const playing = viewers.filter(({ isClosed, firstPacketMs }) => !isClosed && firstPacketMs !== undefined);
const result = {
  conns: viewers.length,
  alive: playing.length,
  failed: viewers.filter(({ firstPacketMs }) => firstPacketMs === undefined).length,
  disconnects: viewers.filter(({ isClosed, firstPacketMs }) => isClosed && firstPacketMs !== undefined).length,
  mbps: (sum(({ bytes }) => bytes) * 8) / seconds / 1e6,
  conn_min: Math.min(...playing.map(({ bytes }) => bytes)),
  conn_max: Math.max(...playing.map(({ bytes }) => bytes)),
  gaps: sum(({ gaps }) => gaps),
  lost: sum(({ missing }) => missing),
  firstPacketMs: quantiles(playing.map(({ firstPacketMs }) => firstPacketMs!)),
  cpu: cpuSeconds(cpuBefore),
  error: firstError.text,
};
for (const viewer of viewers) viewer.close();
printResult(result);
