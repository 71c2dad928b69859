// WHEP viewers: load, churn, and a killed viewer that returns from the same address.
//
//   node whep-load.ts --url 'http://127.0.0.1:28080/rtc/v1/whep/?app=live&stream=s0' --viewers 100 --ramp 25 --settle 2 --time 10
//   node whep-load.ts --url … --rounds 5 --viewers 150 --leave delete|close|kill     join and leave repeatedly
//   node whep-load.ts --url … --dead --port 47777 --give-up 60                       SIGKILL, then return from the same ip:port
//
// Load: the packets of every viewer are parsed. Churn: failed = refused, stuck = no keyframe within --timeout. Prints WINDOW_START /
// WINDOW_END and "RESULT {json}".
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Tool } from '../lib/child-process.ts';
import { datachannel } from '../lib/datachannel.ts';
import { loopbackUrl } from '../lib/loopback.ts';
import { quantiles } from '../lib/quantiles.ts';
import { cpuSeconds, FirstError, printResult, printWindow } from '../lib/tool-output.ts';
import { WhepViewer } from '../lib/whep-viewer.ts';

const maxViewers = 1_000;
/** Number of viewers during warm-up, in which JavaScript code is still being compiled. Later viewers are reported separately. */
const coldViewers = 20;
const maxRounds = 20;
const maxSeconds = 900;
const loopResolutionMs = 2;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    viewers: { type: 'string', default: '1' },
    ramp: { type: 'string', default: '25' },
    settle: { type: 'string', default: '2' },
    time: { type: 'string', default: '10' },
    timeout: { type: 'string', default: '10' },
    port: { type: 'string' },
    rounds: { type: 'string' },
    leave: { type: 'string', default: 'delete' },
    hold: { type: 'string', default: '1' },
    dead: { type: 'boolean', default: false },
    'give-up': { type: 'string', default: '60' },
  },
});
if (!values.url) {
  console.error('--url http://127.0.0.1:port/rtc/v1/whep/?app=live&stream=name');
  process.exit(2);
}
loopbackUrl(values.url);
const url = values.url;
const viewers = Math.min(Number(values.viewers), maxViewers);
const ramp = Number(values.ramp);
const holdMs = Number(values.hold) * 1000;
const timeoutMs = Number(values.timeout) * 1000;
const port = values.port ? Number(values.port) : undefined;
const firstError = new FirstError();
let isMeasuring = false;
datachannel.initLogger('Fatal', () => undefined);

async function join(): Promise<WhepViewer[]> {
  const startedAt = performance.now();
  const all: WhepViewer[] = [];
  const responses: Promise<void>[] = [];
  for (let index = 0; index < viewers; index += 1) {
    const wait = startedAt + (index * 1000) / ramp - performance.now();
    if (wait > 0) await delay(wait);
    const viewer = new WhepViewer(index, { url, timeoutMs, port, firstError, isMeasuring: () => isMeasuring });
    all.push(viewer);
    responses.push(viewer.open());
  }
  await Promise.all(responses);
  return all;
}

async function untilFrames(all: readonly WhepViewer[]): Promise<void> {
  for (const startedAt = performance.now(); performance.now() - startedAt < timeoutMs; await delay(20))
    if (!all.some((viewer) => viewer.isStuck)) return;
}

const count = (all: readonly WhepViewer[], is: (viewer: WhepViewer) => boolean): number => all.filter(is).length;

function joinTimes(all: readonly WhepViewer[]) {
  const times = (key: keyof WhepViewer['after']) => quantiles(all.map(({ after }) => after[key]).filter(Boolean));
  return {
    answerMs: times('answer'),
    connectMs: times('connected'),
    firstPacketMs: times('firstPacket'),
    firstKeyframeMs: times('firstKeyframe'),
    firstLiveMs: times('firstLive'),
  };
}

function outcome(all: readonly WhepViewer[]) {
  return {
    ok: count(all, ({ failure, after }) => !failure && after.firstKeyframe > 0),
    failed: count(all, ({ failure }) => failure !== ''),
    stuck: count(all, ({ isStuck }) => isStuck),
  };
}

async function load(): Promise<object> {
  const all = await join();
  await untilFrames(all);
  await delay(Number(values.settle) * 1000);
  const loop = monitorEventLoopDelay({ resolution: loopResolutionMs });
  loop.enable();
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  isMeasuring = true;
  printWindow('START');
  await delay(Math.min(Number(values.time), maxSeconds) * 1000);
  isMeasuring = false;
  printWindow('END');
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = cpuSeconds(cpuBefore);
  loop.disable();
  const sum = (figure: (viewer: WhepViewer) => number): number => all.reduce((total, one) => total + figure(one), 0);
  const result = {
    viewers,
    ...outcome(all),
    dropped: count(all, ({ hasDropped }) => hasDropped),
    silent: count(all, (viewer) => !viewer.failure && !viewer.isStuck && viewer.video.packets === 0),
    seconds,
    lost: sum(({ video, audio }) => video.lost + audio.lost),
    reordered: sum(({ video, audio }) => video.late + audio.late),
    frames: sum(({ frames }) => frames),
    missingFrames: sum(({ missingFrames }) => missingFrames),
    plis: sum(({ plis }) => plis),
    mbps: (sum(({ bytes }) => bytes) * 8) / seconds / 1e6,
    packetsPerSecond: sum(({ video, audio }) => video.packets + audio.packets) / seconds,
    ...joinTimes(all),
    later: joinTimes(all.slice(coldViewers)),
    latencyMs: quantiles(all.flatMap(({ latencyMs }) => latencyMs)),
    viewerP50Ms: quantiles(all.filter(({ latencyMs }) => latencyMs.length).map((one) => quantiles(one.latencyMs).p50)),
    loopLateMs: { p99: loop.percentile(99) / 1e6 - loopResolutionMs },
    cpu,
  };
  // With a fixed port, the viewer simulates a killed player, which does not close its session.
  if (!port) await Promise.all(all.map((viewer) => viewer.leave()));
  return result;
}

function startViewers(args: readonly (string | number)[]): Tool {
  const file = fileURLToPath(import.meta.url);
  return new Tool({ command: process.execPath, args: [file, '--url', url, ...args], log: '/dev/null' });
}

type Joined = ReturnType<typeof outcome> & {
  firstKeyframeMs?: { p50: number; n: number };
  connectMs?: { p50: number };
};

async function churn(): Promise<object> {
  const rounds = Math.min(Number(values.rounds), maxRounds);
  const total = { rounds, viewers, ok: 0, failed: 0, stuck: 0 };
  const everyone: WhepViewer[] = [];
  printWindow('START');
  for (let round = 0; round < rounds; round += 1) {
    const one = values.leave === 'kill' ? await killedRound() : await leavingRound(everyone);
    total.ok += one.ok;
    total.failed += one.failed;
    total.stuck += one.stuck;
  }
  printWindow('END');
  return { ...total, ...joinTimes(everyone) };
}

async function leavingRound(everyone: WhepViewer[]) {
  const all = await join();
  await untilFrames(all);
  await delay(holdMs);
  const result = outcome(all);
  everyone.push(...all);
  await Promise.all(all.map((viewer) => viewer.leave(values.leave === 'close' ? 'close' : 'delete')));
  return result;
}

async function killedRound() {
  const child = startViewers(['--viewers', viewers, '--ramp', ramp, '--settle', 0, '--time', values.hold]);
  // The viewers are killed after their window has ended and before they close their sessions.
  await child.line('WINDOW_END');
  await child.line('RESULT');
  await child.kill();
  return ((await child.result()) as Joined | undefined) ?? { ok: 0, failed: viewers, stuck: 0 };
}

async function dead(): Promise<object> {
  const fixed = port ?? 47_777;
  const first = startViewers(['--viewers', 1, '--port', fixed, '--settle', 0.5, '--time', 60]);
  const wasUp = (await first.line('WINDOW_START')) !== undefined;
  await first.kill();
  const diedAt = performance.now();
  const tries: object[] = [];
  while (wasUp && performance.now() - diedAt < Number(values['give-up']) * 1000) {
    const at = performance.now() - diedAt;
    const again = startViewers(['--viewers', 1, '--port', fixed, '--settle', 0, '--time', 0.5, '--timeout', 4]);
    const joined = (await again.result()) as Joined | undefined;
    const isBack = joined?.ok === 1;
    tries.push({ at, ok: isBack });
    if (isBack) return { wasUp, tries, backAfterMs: at + (joined.firstKeyframeMs?.p50 ?? 0) };
    await delay(500);
  }
  return { wasUp, tries, backAfterMs: null };
}

const result = values.dead ? await dead() : values.rounds ? await churn() : await load();
printResult({ ...result, firstError: firstError.text });
setTimeout(() => process.exit(0), 50);
