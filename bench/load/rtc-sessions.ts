// Opens and closes thousands of WebRTC sessions and compares the performance of the server before and after.
//
//   node rtc-sessions.ts --url 'http://127.0.0.1:28080/rtc/v1/whep/?app=live&stream=s0' --sessions 20000 --pid <gateway>
//
// Most sessions are deleted without connecting, which costs the client almost nothing. `--joined` sessions connect (ICE
// and DTLS) before they are closed. Measured before the first and after the last session: joins, static files and API
// calls per second (median of several windows), CPU time of the server for each, and memory, open files and handles of
// the process. Prints "RESULT {json}".
import { readdirSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Tool } from '../lib/child-process.ts';
import { createOffer, datachannel, deleteSession, mediaDescriptions, postOffer } from '../lib/datachannel.ts';
import { loopbackUrl } from '../lib/loopback.ts';
import { processFigures } from '../lib/process-figures.ts';
import { quantiles } from '../lib/quantiles.ts';
import { FirstError, printResult, printWindow } from '../lib/tool-output.ts';
import { WhepViewer } from '../lib/whep-viewer.ts';

const maxSessions = 50_000;
const timeoutMs = 10_000;
/** Number of sessions that are open simultaneously. */
const batchSize = 250;
/** Simultaneous calls. */
const concurrency = 8;
const windows = 9;
const windowMs = 1_000;
const joins = 40;
/** Wait for delayed closes after the last session, milliseconds. */
const restMs = 3_000;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    sessions: { type: 'string', default: '20000' },
    joined: { type: 'string', default: '0.05' },
    file: { type: 'string', default: '/players/whep.html' },
    call: { type: 'string', default: '/api/v1/versions' },
    pid: { type: 'string' },
    /** Runs this program as a second process that only counts responses per second: sessions would slow that measurement down. */
    rates: { type: 'boolean', default: false },
  },
});
if (!values.url || !values.pid) {
  console.error('--url http://127.0.0.1:port/rtc/v1/whep/?app=live&stream=name --pid <process of the server>');
  process.exit(2);
}
const url = values.url;
const site = loopbackUrl(url).origin;
const pid = Number(values.pid);
const sessions = Math.min(Number(values.sessions), maxSessions);
const joinedPerBatch = Math.round(batchSize * Number(values.joined));
const firstError = new FirstError();
let failed = 0;
datachannel.initLogger('Fatal', () => undefined);

async function makeOffer(): Promise<string> {
  const connection = new datachannel.PeerConnection('offer', { iceServers: [], bindAddress: '127.0.0.1' });
  const { video, audio } = mediaDescriptions('RecvOnly');
  const tracks = [connection.addTrack(video), connection.addTrack(audio)];
  const offer = await createOffer(connection);
  for (const track of tracks) track.close();
  connection.close();
  return offer;
}

async function join(index: number): Promise<WhepViewer> {
  const viewer = new WhepViewer(index, { url, timeoutMs, port: undefined, firstError, isMeasuring: () => false });
  await viewer.open();
  for (const startedAt = performance.now(); !viewer.after.connected && !viewer.failure; await delay(2)) {
    if (performance.now() - startedAt > timeoutMs) break;
  }
  if (!viewer.after.connected) failed += 1;
  return viewer;
}

async function each(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

async function batch(offer: string, size: number): Promise<void> {
  const open: (string | undefined)[] = [];
  await each(size - joinedPerBatch, async () => {
    try {
      open.push((await postOffer(url, offer, timeoutMs)).location);
    } catch (error) {
      failed += 1;
      firstError.note(error);
    }
  });
  const viewers: WhepViewer[] = [];
  await each(joinedPerBatch, async (index) => {
    viewers.push(await join(index));
  });
  await each(open.length, (index) => deleteSession(open[index]));
  await Promise.all(viewers.map((viewer) => viewer.leave()));
}

function fetchOnce(address: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(address, { agent }, (response) => {
      if (response.statusCode !== 200) failed += 1;
      response.resume().once('end', resolve);
    }).once('error', reject);
  });
}

function cpuUsPer(count: number, before: ReturnType<typeof processFigures>): number {
  return ((processFigures(pid).cpu - before.cpu) * 1e6) / count;
}

/** Responses per second (median of several windows) and CPU time per response. The CPU time depends less on other load of the machine. */
async function answersTo(path: string): Promise<{ perSecond: number; cpuUs: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const rates: number[] = [];
  const before = processFigures(pid);
  let total = 0;
  for (let index = 0; index < windows; index += 1) {
    const startedAt = performance.now();
    let responses = 0;
    const worker = async (): Promise<void> => {
      for (; performance.now() - startedAt < windowMs; responses += 1) await fetchOnce(site + path, agent);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    rates.push((responses * 1000) / (performance.now() - startedAt));
    total += responses;
  }
  const cpuUs = cpuUsPer(total, before);
  agent.destroy();
  return { perSecond: quantiles(rates).p50, cpuUs };
}

async function joinsOf(): Promise<{ perSecond: number; cpuUs: number; connectP50Ms: number }> {
  const startedAt = performance.now();
  const before = processFigures(pid);
  const connectMs: number[] = [];
  for (let index = 0; index < joins; index += 1) {
    const viewer = await join(index);
    connectMs.push(viewer.after.connected);
    await viewer.leave();
  }
  const perSecond = (joins * 1000) / (performance.now() - startedAt);
  return { perSecond, cpuUs: cpuUsPer(joins, before), connectP50Ms: quantiles(connectMs).p50 };
}

type Rates = Record<'files' | 'calls', Awaited<ReturnType<typeof answersTo>>>;

async function rates(): Promise<Rates> {
  const args = [import.meta.filename, ...process.argv.slice(2), '--rates'];
  const counter = new Tool({ command: process.execPath, args, log: '/dev/null' });
  const result = (await counter.result()) as Rates | undefined;
  if (result === undefined) throw new Error('the child process that counts responses returned no result');
  return result;
}

async function measurements() {
  return {
    joins: await joinsOf(),
    ...(await rates()),
    memoryMb: processFigures(pid).rssBytes / 1e6,
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
  };
}

if (values.rates) {
  printResult({ files: await answersTo(values.file), calls: await answersTo(values.call) } satisfies Rates);
  process.exit(0);
}
const offer = await makeOffer();
await batch(offer, batchSize); // compiles code and fills pools before the comparison
printWindow('START');
const before = await measurements();
const memoryMb: number[] = [];
const startedAt = performance.now();
for (let done = 0; done < sessions; done += batchSize) {
  await batch(offer, batchSize);
  memoryMb.push(Math.round(processFigures(pid).rssBytes / 1e6));
}
const seconds = (performance.now() - startedAt) / 1000;
await delay(restMs);
const after = await measurements();
printWindow('END');
const kept = (name: 'joins' | 'files' | 'calls'): number => (after[name].perSecond / before[name].perSecond) * 100;
printResult({
  sessions: memoryMb.length * batchSize,
  joined: memoryMb.length * joinedPerBatch,
  seconds,
  failed,
  before,
  after,
  keptPercent: { joins: kept('joins'), files: kept('files'), calls: kept('calls') },
  memoryMb,
  firstError: firstError.text,
});
setTimeout(() => process.exit(0), 50);
