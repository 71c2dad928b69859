// Measures the outage after a killed server: `node bench/restarts.ts [kills]`. Kills first the control plane, then the
// media server, several times each (SIGKILL). Reports the time without responses to calls, and the time without video
// for an HTTP-FLV viewer. Encoder and viewer reconnect after 20 ms.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ports } from './conf/ports.ts';
import { httpUrl, productCommand, productEnvironment, publishSecret } from './conf/product.ts';
import { stopTree, Tool } from './lib/child-process.ts';
import { readFlv } from './lib/flv-client.ts';
import { isAlive, processTree } from './lib/process-figures.ts';
import { untilAnswered } from './lib/product-api.ts';
import { parseRtmpUrl, RtmpPublisher } from './lib/rtmp-publisher.ts';
import { bodyOf, FrameSchedule, frameBodies, frameHeader, sendHeaders } from './lib/test-stream.ts';
import { prepareProduct } from './prepare-product.ts';

/** Pause between two kills, milliseconds. The server runs normally during this time. */
const restMs = 3_000;
/** Delay before encoder and viewer reconnect, milliseconds. */
const retryMs = 20;
const responseTimeoutMs = 60_000;
const videoTag = 9;
const kbps = 2_000;
const kills = Number(process.argv[2] ?? 5);

const folder = await mkdtemp(join(tmpdir(), 'srs-stack-restarts-'));
const data = join(folder, 'data');
await prepareProduct(data, join(folder, 'prepare.log'));
await rm(join(data, 'run'), { recursive: true, force: true });
const product = new Tool({ ...productCommand, env: productEnvironment(data), log: join(folder, 'product.log') });
let isOver = false;
try {
  await untilAnswered(responseTimeoutMs, product.ended);
  console.log(`control plane, ms without a response: ${await measure('platform', untilAnswers)}`);
  const viewer = watch();
  publish();
  await viewer.nextPicture(0);
  console.log(`media server, ms without video: ${await measure('gateway', viewer.nextPicture)}`);
} finally {
  isOver = true;
  await stopTree(product.pid);
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

/** Kills a process several times and measures the milliseconds until `isBack` resolves. */
async function measure(name: string, isBack: (killedAt: number) => Promise<unknown>): Promise<string> {
  const tookMs: number[] = [];
  for (let count = 0; count < kills; count += 1) {
    await sleep(restMs);
    const pid = pidOf(name);
    const killedAt = performance.now();
    process.kill(pid, 'SIGKILL');
    // A killed process may respond until it has exited.
    while (isAlive(pid)) await sleep(1);
    await isBack(killedAt);
    tookMs.push(Math.round(performance.now() - killedAt));
  }
  return tookMs.join(', ');
}

function untilAnswers(): Promise<void> {
  return untilAnswered(responseTimeoutMs, product.ended);
}

function pidOf(name: string): number {
  const isIt = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`packages/${name}/src/main.ts`);
  const pid = processTree(product.pid).find(isIt);
  if (pid === undefined) throw new Error(`${name} is not running`);
  return pid;
}

function publish(): void {
  if (isOver) return;
  const bodies = frameBodies(kbps);
  const schedule = new FrameSchedule();
  let timer: NodeJS.Timeout | undefined;
  const again = (): void => {
    clearInterval(timer);
    setTimeout(publish, retryMs);
  };
  const publisher = new RtmpPublisher(
    parseRtmpUrl(`rtmp://127.0.0.1:${ports.rtmp}/live/restarts?secret=${publishSecret}`),
    {
      accepted: () => {
        sendHeaders(publisher, kbps);
        const beganAt = performance.now();
        timer = setInterval(() => {
          while (publisher.isLive && beganAt + schedule.nextAtMs <= performance.now()) {
            const frame = schedule.take();
            publisher.send(publisher.message(frameHeader(frame), bodyOf(bodies, frame)));
          }
        }, 5);
      },
      failed: again,
      closed: again,
    },
  );
}

/** A viewer that reconnects. `nextPicture` resolves at the first video tag of a connection that was opened after `sinceMs`. */
function watch(): { nextPicture: (sinceMs: number) => Promise<void> } {
  let waiting: { sinceMs: number; resolve: () => void } | undefined;
  const open = (): void => {
    if (isOver) return;
    const openedAt = performance.now();
    const onTag = ({ type }: { type: number }): void => {
      if (type !== videoTag || !waiting || openedAt < waiting.sinceMs) return;
      waiting.resolve();
      waiting = undefined;
    };
    readFlv(`${httpUrl}/live/restarts.flv`, onTag, () => setTimeout(open, retryMs));
  };
  open();
  return {
    nextPicture: (sinceMs) =>
      new Promise((resolve) => {
        waiting = { sinceMs, resolve };
      }),
  };
}
