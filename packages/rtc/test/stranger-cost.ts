// Measures the CPU cost of a datagram from an unknown sender, relative to an unknown media packet: `node packages/rtc/test/stranger-cost.ts
// [datagrams of each kind]`. Only the process that owns the port is measured; a child process sends. Independent of the test runner.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { fileURLToPath } from 'node:url';
import { RtcPort } from '../src/rtc-port.ts';
import { checkOf, loopback, openBare, rtp } from './rtc-rig.ts';

/** Number of datagrams sent without a pause, which fit into the kernel's queue. */
const burst = 200;
/** Number of measurements per kind. Kinds alternate, and the minimum is the result. */
const rounds = 5;

interface Order {
  readonly datagram: string;
  readonly count: number;
  readonly port: number;
}

async function beSender(): Promise<void> {
  const socket = createSocket('udp4');
  process.on('message', async ({ datagram, count, port }: Order) => {
    const bytes = Buffer.from(datagram, 'hex');
    for (let sent = 0; sent < count; sent += burst) {
      const sends = Array.from(
        { length: Math.min(burst, count - sent) },
        () => new Promise<void>((resolve) => socket.send(bytes, port, loopback, () => resolve())),
      );
      await Promise.all(sends);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    process.send?.('sent');
  });
}

async function measure(total: number): Promise<void> {
  const port = new RtcPort({ host: loopback, port: 0 }, console.error);
  const { session } = openBare(port, true);
  const check = checkOf(session);
  const changed = (change: (copy: Buffer) => void) => {
    const copy = Buffer.from(check);
    change(copy);
    return copy;
  };
  const kinds: Record<string, Buffer> = {
    'media of an unknown sender': rtp(1, { bytes: check.length - 12 }),
    'STUN without the cookie': changed((copy) => copy.writeUInt32BE(0, 4)),
    'STUN of a wrong length': changed((copy) => copy.writeUInt16BE(4, 2)),
    'check of an unknown session': checkOf({ ...session, ufrag: 'nobodys1' }),
    'check with a wrong password': checkOf({ ...session, password: randomBytes(12).toString('hex') }),
    'DTLS of an unknown sender': Buffer.concat([Buffer.from('16fefd', 'hex'), Buffer.alloc(check.length - 3)]),
  };
  const sender = fork(fileURLToPath(import.meta.url), ['sender']);
  const best = new Map<string, number>();
  for (let round = 0; round <= rounds; round++) {
    for (const [kind, datagram] of Object.entries(kinds)) {
      const received = port.counters.received;
      const before = process.cpuUsage();
      sender.send({ datagram: datagram.toString('hex'), count: total, port: port.port } satisfies Order);
      await new Promise((resolve) => sender.once('message', resolve));
      const { user, system } = process.cpuUsage(before);
      const cost = (user + system) / (port.counters.received - received);
      if (round > 0) best.set(kind, Math.min(cost, best.get(kind) ?? Number.POSITIVE_INFINITY));
    }
  }
  const media = best.get('media of an unknown sender')!;
  for (const [kind, cost] of best)
    console.log(`${kind.padEnd(28)} ${cost.toFixed(2)} µs, ${(cost / media).toFixed(2)} times media`);
  sender.kill();
  port.close();
}

if (process.argv[2] === 'sender') await beSender();
else await measure(Number(process.argv[2] ?? 20_000));
