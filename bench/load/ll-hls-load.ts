// Players of low-latency HLS. Each player has two pending requests: the next playlist (RFC 8216bis §6.2.5.2) and the hinted part.
//
//   node ll-hls-load.ts --url http://127.0.0.1:28080/live/s0.ll.m3u8 --viewers 500 --ramp 50 --settle 5 --time 30
//
// A stall is counted when the time between the arrivals of two parts exceeds PART-HOLD-BACK, the distance of the player
// from the live edge. Some players, evenly distributed, parse the stamps and measure the delay
// from the last frame of a part to its arrival. Prints WINDOW_START / WINDOW_END and "RESULT {json}".
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loopbackUrl } from '../lib/loopback.ts';
import { quantiles } from '../lib/quantiles.ts';
import { nowUs, readStamp, stampBytes } from '../lib/stamp.ts';
import { cpuSeconds, FirstError, printResult, printWindow } from '../lib/tool-output.ts';

const maxViewers = 5_000;
const maxSeconds = 900;
const requestTimeoutMs = 20_000;
const sampledViewers = 20;
const pauseAfterFailureMs = 500;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    viewers: { type: 'string', default: '100' },
    ramp: { type: 'string', default: '50' },
    settle: { type: 'string', default: '5' },
    time: { type: 'string', default: '30' },
  },
});
if (!values.url) {
  console.error('--url http://127.0.0.1:port/app/stream.ll.m3u8');
  process.exit(2);
}
loopbackUrl(values.url);
const url = values.url;
const viewerCount = Math.min(Number(values.viewers), maxViewers);

const tally = { bytes: 0, playlists: 0, parts: 0, failures: 0 };
const times = { startup: [] as number[], age: [] as number[] };
const firstError = new FirstError();
let isMeasuring = false;
let isEnding = false;

function download(address: string, agent: Agent): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const request = get(address, { agent, timeout: requestTimeoutMs }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const content = Buffer.concat(pieces);
        if (isMeasuring) tally.bytes += content.length;
        if (response.statusCode === 200) resolve(content);
        else reject(new Error(`HTTP ${response.statusCode}`));
      });
    });
    request.on('timeout', () => request.destroy(new Error('timeout')));
    request.on('error', reject);
  });
}

/** Addresses of the next playlist request and of the hinted part, and PART-HOLD-BACK in milliseconds. */
function endOf(text: string, base: string): { next: string; hint: string; holdBackMs: number } {
  const number = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  const whole = text.match(/^#EXTINF/gm)?.length ?? 0;
  const skipped = number(/SKIPPED-SEGMENTS=(\d+)/);
  const sequence = number(/MEDIA-SEQUENCE:(\d+)/) + skipped + whole;
  const parts = text.slice(text.lastIndexOf('#EXTINF')).match(/^#EXT-X-PART:/gm)?.length ?? 0;
  const hint = /PRELOAD-HINT:TYPE=PART,URI="([^"]+)"/.exec(text)?.[1];
  if (hint === undefined) throw new Error('the playlist has no preload hint for the next part');
  const next = new URL(base);
  next.searchParams.set('_HLS_msn', String(sequence));
  next.searchParams.set('_HLS_part', String(parts));
  next.searchParams.set('_HLS_skip', 'YES');
  return { next: next.href, hint: new URL(hint, base).href, holdBackMs: number(/PART-HOLD-BACK=([\d.]+)/) * 1000 };
}

function newestStampUs(part: Buffer): number {
  let newest = 0;
  for (let at = part.indexOf('LSTMP'); at >= 0; at = part.indexOf('LSTMP', at + stampBytes)) {
    newest = Math.max(newest, readStamp(part.subarray(at))?.atUs ?? 0);
  }
  return newest;
}

class Viewer {
  stalls = 0;
  isStarted = false;
  #lastPartMs = 0;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 2 });
  readonly #isSampled: boolean;
  readonly #joinedAt = performance.now();

  constructor(isSampled: boolean) {
    this.#isSampled = isSampled;
  }

  async run(): Promise<void> {
    while (!isEnding) {
      try {
        await this.#play();
      } catch (error) {
        if (isEnding) return;
        tally.failures += 1;
        firstError.note(error);
        await delay(pauseAfterFailureMs);
      }
    }
  }

  async #play(): Promise<void> {
    const master = String(await download(url, this.#agent));
    const variant = /^#EXT-X-STREAM-INF[^\n]*\n([^#\n]+)/m.exec(master)?.[1];
    const address = variant ? new URL(variant, url).href : url;
    let text = variant ? String(await download(address, this.#agent)) : master;
    while (!isEnding) {
      const { next, hint, holdBackMs } = endOf(text, address);
      const [playlist, part] = await Promise.all([download(next, this.#agent), download(hint, this.#agent)]);
      text = String(playlist);
      this.#onPart(part, holdBackMs);
    }
  }

  #onPart(part: Buffer, holdBackMs: number): void {
    const now = performance.now();
    if (!this.isStarted) times.startup.push(now - this.#joinedAt);
    else if (isMeasuring && now - this.#lastPartMs > holdBackMs) this.stalls += 1;
    this.isStarted = true;
    this.#lastPartMs = now;
    if (!isMeasuring) return;
    tally.playlists += 1;
    tally.parts += 1;
    const newest = this.#isSampled ? newestStampUs(part) : 0;
    if (newest > 0) times.age.push((nowUs() - newest) / 1000);
  }
}

const viewers: Viewer[] = [];
for (let index = 0; index < viewerCount; index += 1) {
  const every = Math.max(1, Math.floor(viewerCount / sampledViewers));
  const viewer = new Viewer(index % every === 0);
  viewers.push(viewer);
  void viewer.run();
  await delay(1000 / Number(values.ramp));
}
await delay(Number(values.settle) * 1000);
const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
isMeasuring = true;
printWindow('START');
await delay(Math.min(Number(values.time), maxSeconds) * 1000);
isMeasuring = false;
printWindow('END');
isEnding = true;

const seconds = (performance.now() - startedAt) / 1000;
const started = viewers.filter(({ isStarted }) => isStarted).length;
printResult({
  viewers: viewerCount,
  ok: started,
  ...tally,
  firstError: firstError.text,
  mbps: (tally.bytes * 8) / seconds / 1e6,
  requestsPerSecond: (tally.playlists + tally.parts) / seconds,
  smoothShare: viewers.filter(({ isStarted, stalls }) => isStarted && stalls === 0).length / viewerCount,
  startupMs: quantiles(times.startup),
  ageMs: quantiles(times.age, 0),
  cpu: cpuSeconds(cpuBefore),
});
setTimeout(() => process.exit(0), 50);
