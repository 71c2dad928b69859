// UDP relay between SRT programs, with seeded loss and delay, for any number of flows.
//
//   node loss-relay.ts --listen 41080 --to 127.0.0.1:40080 --loss 0.05 --delay 30 --seed 1
//
// Each client address has a separate socket to the server. --delay is the delay in one direction, milliseconds. Loss
// applies to both directions and depends only on seed, flow, direction and packet number. The time resolution is about 1 ms.
// Prints READY, and at SIGTERM "RESULT {json}".
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { parseArgs } from 'node:util';
import { loopbackUrl } from '../lib/loopback.ts';
import { cpuSeconds, printReady, printResult } from '../lib/tool-output.ts';

const maxFlows = 2_000;
const maxSeconds = 1_800;
const socketBufferBytes = 4 << 20;
const tickMs = 1;

const { values } = parseArgs({
  options: {
    listen: { type: 'string' },
    to: { type: 'string' },
    loss: { type: 'string', default: '0' },
    delay: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    time: { type: 'string', default: '900' },
  },
});
if (!values.listen || !values.to) {
  console.error('--listen port --to 127.0.0.1:port');
  process.exit(2);
}
const server = loopbackUrl(`http://${values.to}`);
const lossShare = Number(values.loss);
const delayMs = Number(values.delay);
const seed = Number(values.seed);

const tally = {
  up: { packets: 0, lost: 0, bytes: 0 },
  down: { packets: 0, lost: 0, bytes: 0 },
  flows: 0,
  lateMs: 0,
};

/** Packets sorted by due time: every packet has an equal delay, so arrival order is due order. */
let underWay: { due: number; send: () => void }[] = [];

function randomNumbers(state: number): () => number {
  let value = state;
  return () => {
    value = (value + 0x6d2b79f5) | 0;
    let mixed = Math.imul(value ^ (value >>> 15), 1 | value);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Direction = (bytes: Buffer, send: (bytes: Buffer) => void) => void;

function createDirection(counts: typeof tally.up, directionSeed: number): Direction {
  const random = randomNumbers(directionSeed);
  return (bytes, send) => {
    counts.packets += 1;
    counts.bytes += bytes.length;
    if (random() < lossShare) counts.lost += 1;
    else underWay.push({ due: performance.now() + delayMs, send: () => send(bytes) });
  };
}

interface Flow {
  readonly back: Socket;
  readonly up: Direction;
}
const flows = new Map<string, Flow>();
const sockets = () =>
  createSocket({ type: 'udp4', recvBufferSize: socketBufferBytes, sendBufferSize: socketBufferBytes });
const front = sockets();

function openFlow(from: RemoteInfo): Flow {
  tally.flows += 1;
  const base = seed * 7919 + tally.flows * 2;
  const down = createDirection(tally.down, base + 1);
  const back = sockets();
  back.on('message', (bytes) => down(Buffer.from(bytes), (kept) => front.send(kept, from.port, from.address)));
  back.on('error', () => undefined); // the server has exited: packets are lost
  return { back, up: createDirection(tally.up, base) };
}

front.on('message', (bytes, from) => {
  const key = `${from.address}:${from.port}`;
  const flow = flows.get(key) ?? (flows.size < maxFlows ? openFlow(from) : undefined);
  if (!flow) return;
  flows.set(key, flow);
  flow.up(Buffer.from(bytes), (kept) => flow.back.send(kept, Number(server.port), server.hostname));
});
front.bind(Number(values.listen), '127.0.0.1', () => printReady(1));

setInterval(() => {
  const now = performance.now();
  const waiting = underWay.findIndex(({ due }) => due > now);
  const due = waiting < 0 ? underWay : underWay.slice(0, waiting);
  underWay = waiting < 0 ? [] : underWay.slice(waiting);
  for (const packet of due) {
    tally.lateMs = Math.max(tally.lateMs, now - packet.due);
    packet.send();
  }
}, tickMs);

function end(): void {
  printResult({ ...tally, cpu: cpuSeconds() });
  process.exit(0);
}
process.on('SIGTERM', end);
process.on('SIGINT', end);
setTimeout(end, Math.min(Number(values.time), maxSeconds) * 1000);
