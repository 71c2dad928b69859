// Simulates many consoles that receive pushed metrics: opens event streams and counts the messages. Prints READY,
// WINDOW_START / WINDOW_END and RESULT.
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loopbackUrl } from '../lib/loopback.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    secret: { type: 'string' },
    count: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '30' },
  },
});
const { secret = '' } = values;
const url = loopbackUrl(values.url ?? '');
const count = Number(values.count);
const seconds = Number(values.seconds);

const settleMs = 2_000;
const openTimeoutMs = 10_000;
let snapshots = 0;
let bytes = 0;
let refused = 0;
let broken = 0;

function openReader(): Promise<void> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${secret}`, accept: 'text/event-stream' };
    const call = request(url, { headers, agent: false, timeout: openTimeoutMs }, (response) => {
      if (response.statusCode !== 200) {
        refused += 1;
        response.resume();
        resolve();
        return;
      }
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (chunk.includes('event: snapshot')) snapshots += 1;
        resolve();
      });
      response.on('close', () => {
        broken += isOver ? 0 : 1;
      });
    });
    call.on('error', () => {
      refused += isOver ? 0 : 1;
      resolve();
    });
    call.end();
  });
}

let isOver = false;
await Promise.all(Array.from({ length: count }, openReader));
console.log(`READY ${count - refused}`);
await delay(settleMs);
[snapshots, bytes] = [0, 0];
console.log('WINDOW_START');
await delay(seconds * 1_000);
console.log('WINDOW_END');
isOver = true;
console.log(
  `RESULT ${JSON.stringify({ readers: count - refused, refused, broken, bytes, perReader: snapshots / count })}`,
);
process.exit(0);
