// HLS viewers with a playback model: playlists and segments over keep-alive connections.
//
//   node hls-load.ts --url http://127.0.0.1:28080/live/s0.m3u8 --viewers 500 --ramp 50 --settle 5 --time 30
//
// A viewer reads the master and media playlist, starts three segments before the live edge, and downloads segments in
// order. The playlist is reloaded one target duration after a change, or half a target duration if nothing changed (RFC
// 8216 §6.3.4). Playback starts when the first segment is complete; a stall is time without media to play. Some
// viewers, evenly distributed, parse the stamps in their segments. Prints WINDOW_START / WINDOW_END and "RESULT
// {json}".
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loopbackUrl } from '../lib/loopback.ts';
import { quantiles } from '../lib/quantiles.ts';
import { nowUs, readStamp } from '../lib/stamp.ts';
import { cpuSeconds, FirstError, printResult, printWindow } from '../lib/tool-output.ts';

const maxViewers = 5_000;
const maxSeconds = 900;
const requestTimeoutMs = 10_000;
/** Distance from the live edge at which a viewer starts, segments. */
const edgeSegments = 3;
const sampledViewers = 20;
const pauseAfterFailureMs = 500;
const leastReloadMs = 50;
const tsPacketBytes = 188;

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
  console.error('--url http://127.0.0.1:port/app/stream.m3u8');
  process.exit(2);
}
loopbackUrl(values.url);
const url = values.url;
const viewerCount = Math.min(Number(values.viewers), maxViewers);

const tally = { bytes: 0, playlists: 0, segments: 0, failures: 0, notWholePackets: 0, skippedSegments: 0 };
const times = { playlist: [] as number[], segment: [] as number[], startup: [] as number[], age: [] as number[] };
const firstError = new FirstError();
let isMeasuring = false;
let isEnding = false;

interface Body {
  readonly bytes: number;
  /** Body of the response; empty unless the caller requested the body. */
  readonly content: Buffer;
  readonly tookMs: number;
}

function download(address: string, agent: Agent, isKept: boolean): Promise<Body> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(address, { agent, timeout: requestTimeoutMs }, (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        if (isMeasuring) tally.bytes += part.length;
        if (isKept) parts.push(part);
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode !== 200) reject(new Error(`HTTP ${response.statusCode}`));
        else resolve({ bytes, content: Buffer.concat(parts), tookMs: performance.now() - startedAt });
      });
    });
    request.on('timeout', () => request.destroy(new Error('timeout')));
    request.on('error', reject);
  });
}

interface Playlist {
  readonly targetSeconds: number;
  readonly firstSequence: number;
  readonly segments: readonly { readonly address: string; readonly seconds: number }[];
  /** URL of the media playlist, if the response is a master playlist. */
  readonly variant: string | undefined;
}

function parsePlaylist(text: string, base: string): Playlist {
  const tag = (name: string): number => Number(new RegExp(`^#EXT-X-${name}:(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  const segments = [...text.matchAll(/^#EXTINF:([\d.]+)[^\n]*\n(?:#[^\n]*\n)*([^#\n][^\n]*)/gm)].map(
    ([, seconds = '0', path = '']) => ({ address: new URL(path.trim(), base).href, seconds: Number(seconds) }),
  );
  const variant = /^#EXT-X-STREAM-INF[^\n]*\n([^#\n]+)/m.exec(text)?.[1]?.trim();
  return {
    targetSeconds: tag('TARGETDURATION') || 2,
    firstSequence: tag('MEDIA-SEQUENCE'),
    segments,
    variant: variant ? new URL(variant, base).href : undefined,
  };
}

class Viewer {
  /** Number of stalls that started in the measuring window, and total stalled time in the window. */
  stalls = 0;
  stalledMs = 0;
  isStarted = false;
  #startedAt = 0;
  #downloadedMs = 0;
  #playedMs = 0;
  #waitedMs = 0;
  #isStalled = false;
  #next = -1;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #isSampled: boolean;
  readonly #joinedAt = performance.now();

  constructor(isSampled: boolean) {
    this.#isSampled = isSampled;
  }

  async run(): Promise<void> {
    let address = url;
    let lastText = '';
    while (!isEnding) {
      const askedAt = performance.now();
      try {
        const body = await download(address, this.#agent, true);
        const text = body.content.toString();
        const playlist = parsePlaylist(text, address);
        if (isMeasuring) {
          tally.playlists += 1;
          times.playlist.push(body.tookMs);
        }
        if (playlist.variant) {
          address = playlist.variant;
          continue;
        }
        await this.#fetchNew(playlist);
        const pauseMs = playlist.targetSeconds * (text === lastText ? 500 : 1000);
        lastText = text;
        await delay(Math.max(leastReloadMs, pauseMs - (performance.now() - askedAt)));
      } catch (error) {
        if (isEnding) return;
        tally.failures += 1;
        firstError.note(error);
        await delay(pauseAfterFailureMs);
      }
    }
  }

  /** Simulates playback up to `now`: plays available media and counts a stall while no media is available. */
  advance(now: number): void {
    if (!this.isStarted) return;
    const sinceMs = now - this.#startedAt - this.#waitedMs;
    this.#playedMs = Math.min(this.#downloadedMs, sinceMs);
    const gapMs = sinceMs - this.#playedMs;
    const isStalled = gapMs > 1;
    if (isStalled && isMeasuring) {
      this.stalledMs += gapMs;
      if (!this.#isStalled) this.stalls += 1;
    }
    this.#waitedMs += isStalled ? gapMs : 0;
    this.#isStalled = isStalled;
  }

  async #fetchNew({ firstSequence, segments }: Playlist): Promise<void> {
    if (segments.length === 0) return;
    if (this.#next < 0) this.#next = firstSequence + Math.max(0, segments.length - edgeSegments);
    if (this.#next < firstSequence) {
      tally.skippedSegments += firstSequence - this.#next;
      this.#next = firstSequence;
    }
    for (; this.#next < firstSequence + segments.length && !isEnding; this.#next += 1) {
      const segment = segments[this.#next - firstSequence]!;
      this.#onSegment(await download(segment.address, this.#agent, this.#isSampled), segment.seconds);
    }
  }

  #onSegment({ bytes, content, tookMs }: Body, seconds: number): void {
    const now = performance.now();
    if (bytes === 0 || bytes % tsPacketBytes !== 0) tally.notWholePackets += 1;
    if (isMeasuring) {
      tally.segments += 1;
      times.segment.push(tookMs);
      const stamp = readStamp(content);
      if (stamp) times.age.push((nowUs() - stamp.atUs) / 1000);
    }
    this.advance(now);
    this.#downloadedMs += seconds * 1000;
    if (this.isStarted) return;
    this.isStarted = true;
    this.#startedAt = now;
    times.startup.push(now - this.#joinedAt);
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
const advanceAll = (): void => {
  for (const viewer of viewers) viewer.advance(performance.now());
};
await delay(Number(values.settle) * 1000);
advanceAll();
const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
isMeasuring = true;
printWindow('START');
await delay(Math.min(Number(values.time), maxSeconds) * 1000);
advanceAll();
isMeasuring = false;
printWindow('END');
isEnding = true;

const seconds = (performance.now() - startedAt) / 1000;
const stalled = viewers.filter(({ stalls }) => stalls > 0);
const started = viewers.filter(({ isStarted }) => isStarted).length;
printResult({
  viewers: viewerCount,
  ok: started,
  ...tally,
  firstError: firstError.text,
  mbps: (tally.bytes * 8) / seconds / 1e6,
  requestsPerSecond: (tally.playlists + tally.segments) / seconds,
  smoothShare: (started - stalled.length) / viewerCount,
  stallMs: quantiles(stalled.map(({ stalledMs }) => stalledMs)),
  startupMs: quantiles(times.startup),
  playlistMs: quantiles(times.playlist),
  segmentMs: quantiles(times.segment),
  ageMs: quantiles(times.age, 0),
  cpu: cpuSeconds(cpuBefore),
});
setTimeout(() => process.exit(0), 50);
