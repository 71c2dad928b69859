// Measures the cost of copying streams between two gateways: added delay, CPU time, and time to first frame.
//
//   node copies.ts --url 'http://127.0.0.1:28080/live/s_{i}.flv' --streams 20 --folder <data folder>/run --time 10
//
// The origin of a stream is the gateway with its publisher. Step 1: a viewer requests each stream from the origin, and
// then from the other gateway. The tool measures the time until the first complete keyframe. Step 2: every stream has a
// viewer at its origin. Step 3: every stream has a viewer at the other gateway. Steps 2 and 3 measure the CPU time of both
// gateways and the delay of every video frame. `{i}` counts from 0, as in rtmp-pub.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type FlvTag, readFlv } from '../lib/flv-client.ts';
import { connectToProcess } from '../lib/gateway-connection.ts';
import { loopbackUrl } from '../lib/loopback.ts';
import { processFigures } from '../lib/process-figures.ts';
import { quantiles } from '../lib/quantiles.ts';
import { nowUs, readStamp } from '../lib/stamp.ts';
import { FirstError, printResult, printWindow } from '../lib/tool-output.ts';

const videoTag = 9;
const keyframe = 1;
const firstFrameTimeoutMs = 10_000;
const settleMs = 2_000;
/** Wait until an unused copy has been closed, milliseconds: 10 s idle time, and a second for the response. */
const copyEndsMs = 11_000;

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    streams: { type: 'string', default: '20' },
    folder: { type: 'string', default: '' },
    time: { type: 'string', default: '10' },
  },
});
const streamCount = Number(values.streams);
const urls = Array.from({ length: streamCount }, (_, index) => values.url.replace('{i}', String(index)));
const port = Number(loopbackUrl(urls[0] ?? '').port);
const firstError = new FirstError();

interface Gateway {
  readonly pid: number;
  readonly srsApi: number;
}

/** Finds the gateways of the product: each writes a file when its ports are open. */
function findGateways(): Gateway[] {
  const files = readdirSync(values.folder).filter((name) => /^ports(-\d+)?\.json$/.test(name));
  return files.map((name) => JSON.parse(readFileSync(join(values.folder, name), 'utf8')) as Gateway);
}

/** Names of the streams whose origin is this gateway. */
async function originsIn({ srsApi }: Gateway): Promise<Set<string>> {
  const response = await fetch(`http://127.0.0.1:${srsApi}/api/v1/clients/?count=1000`);
  const { clients } = (await response.json()) as { clients: { name: string; type: string }[] };
  return new Set(clients.filter(({ type }) => type === 'fmle-publish').map(({ name }) => name));
}

interface Placed {
  readonly url: string;
  readonly origin: Gateway;
  readonly other: Gateway;
}

async function placeStreams(gateways: readonly Gateway[]): Promise<Placed[]> {
  const [first, second] = gateways;
  if (!first || !second) throw new Error('this load needs two gateways');
  const inFirst = await originsIn(first);
  return urls.map((url) => {
    const name = /\/([^/]+)\.flv/.exec(url)?.[1] ?? '';
    return inFirst.has(name) ? { url, origin: first, other: second } : { url, origin: second, other: first };
  });
}

/** Plays `url` from the gateway `pid`. Resolves when the request is sent. The resulting function stops the playback. */
async function watch(url: string, pid: number, onTag: (tag: FlvTag) => void): Promise<() => void> {
  const socket = await connectToProcess(port, pid);
  const onEnd = (reason: string): void => firstError.note(`${url}: ${reason}`);
  return readFlv(url, onTag, onEnd, () => socket);
}

const isKeyframe = ({ type, body }: FlvTag): boolean =>
  type === videoTag && ((body[0] ?? 0) >> 4) % 8 === keyframe && readStamp(body) !== undefined;

/** Milliseconds from the request to the first complete keyframe from the gateway `pid`. */
async function firstPicture(url: string, pid: number): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  let startedAt = 0;
  const close = await watch(url, pid, (tag) => {
    if (isKeyframe(tag)) resolve(performance.now() - startedAt);
  });
  startedAt = performance.now();
  const timer = setTimeout(() => resolve(undefined), firstFrameTimeoutMs);
  const took = await promise;
  clearTimeout(timer);
  close();
  if (took === undefined) firstError.note(`${url}: no keyframe`);
  return took;
}

async function firstFrames(placed: readonly Placed[], which: 'origin' | 'other'): Promise<number[]> {
  const times: number[] = [];
  for (const stream of placed) {
    const took = await firstPicture(stream.url, stream[which].pid);
    if (took !== undefined) times.push(took);
  }
  return times;
}

interface Measured {
  readonly delaysMs: number[];
  /** Number of cores that both gateways used together: CPU seconds per second. */
  readonly cores: number;
}

/** Measures while every stream has a viewer, either at the origin or at the other gateway. */
async function measure(
  placed: readonly Placed[],
  which: 'origin' | 'other',
  gateways: readonly Gateway[],
): Promise<Measured> {
  const delaysMs: number[] = [];
  let isMeasuring = false;
  const onTag = ({ type, body }: FlvTag): void => {
    const stamp = isMeasuring && type === videoTag ? readStamp(body) : undefined;
    if (stamp) delaysMs.push((nowUs() - stamp.atUs) / 1000);
  };
  const ends: (() => void)[] = [];
  for (const stream of placed) ends.push(await watch(stream.url, stream[which].pid, onTag));
  await delay(settleMs);
  const cpu = (): number => gateways.reduce((sum, { pid }) => sum + processFigures(pid).cpu, 0);
  const [before, startedAt] = [cpu(), performance.now()];
  isMeasuring = true;
  if (which === 'other') printWindow('START');
  await delay(Number(values.time) * 1000);
  if (which === 'other') printWindow('END');
  isMeasuring = false;
  const cores = ((cpu() - before) * 1000) / (performance.now() - startedAt);
  for (const end of ends) end();
  return { delaysMs, cores };
}

const gateways = findGateways();
const placed = await placeStreams(gateways);
const originFirst = quantiles(await firstFrames(placed, 'origin'));
const copyFirst = quantiles(await firstFrames(placed, 'other'));
await delay(copyEndsMs);
const atOrigin = await measure(placed, 'origin', gateways);
await delay(settleMs);
const atCopy = await measure(placed, 'other', gateways);
const [origin, copy] = [quantiles(atOrigin.delaysMs), quantiles(atCopy.delaysMs)];
printResult({
  streams: streamCount,
  failures: firstError.text === '' ? 0 : 1,
  error: firstError.text,
  originFirstMs: originFirst,
  firstMs: copyFirst,
  originMs: origin,
  copyMs: copy,
  addedP50: copy.p50 - origin.p50,
  addedP99: copy.p99 - origin.p99,
  coresPerStream: (atCopy.cores - atOrigin.cores) / streamCount,
});
process.exit(0);
