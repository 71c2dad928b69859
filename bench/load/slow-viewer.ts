// One viewer with insufficient bandwidth, while other viewers are measured.
//
//   node slow-viewer.ts --flv 'http://127.0.0.1:28080/live/s0.flv' --kbps 100     reads at this rate
//   node slow-viewer.ts --whep 'http://127.0.0.1:28080/rtc/v1/whep/?…' --awake 20    running 20 % of the time, else suspended
//
// The socket of a suspended viewer overflows. The viewer then loses most packets, reports the loss, and requests
// keyframes. Prints "READY 1" when the viewer plays, and at SIGTERM "RESULT {json}".
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Tool } from '../lib/child-process.ts';
import { loopbackUrl } from '../lib/loopback.ts';
import { printReady, printResult } from '../lib/tool-output.ts';

const sliceMs = 100;
const stopCycleMs = 500;
const longestSeconds = 300;

const { values } = parseArgs({
  options: {
    flv: { type: 'string' },
    whep: { type: 'string' },
    kbps: { type: 'string', default: '100' },
    awake: { type: 'string', default: '20' },
  },
});

/** Reads a few bytes at a time. Unread data fills the socket buffers of viewer and server, then the server's queue. */
function readSlowly(address: string): void {
  const url = loopbackUrl(address);
  const startedAt = performance.now();
  const sliceBytes = Math.max(1, Math.round((Number(values.kbps) / 8) * sliceMs));
  let bytes = 0;
  let isCutOff = false;
  const socket = connect({ port: Number(url.port), host: url.hostname });
  socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  socket.on('error', () => {});
  socket.on('close', () => {
    isCutOff = true;
  });
  setInterval(() => {
    const part = socket.read(Math.min(sliceBytes, socket.readableLength)) as Buffer | null;
    if (part && bytes === 0) printReady(1);
    bytes += part?.length ?? 0;
  }, sliceMs);
  process.once('SIGTERM', () => {
    const seconds = (performance.now() - startedAt) / 1000;
    printResult({ seconds, kbps: (bytes * 8) / 1000 / seconds, cutOff: isCutOff ? 1 : 0 });
    process.exit(0);
  });
}

async function playStumbling(address: string): Promise<void> {
  loopbackUrl(address);
  const file = fileURLToPath(new URL('whep-load.ts', import.meta.url));
  const args = [file, '--url', address, '--viewers', 1, '--settle', 0, '--time', longestSeconds];
  const viewer = new Tool({ command: process.execPath, args, log: '/dev/null' });
  process.once('SIGTERM', () => {
    printResult({ cutOff: viewer.hasEnded ? 1 : 0 });
    void viewer.kill().then(() => process.exit(0));
  });
  if ((await viewer.line('WINDOW_START')) === undefined) return;
  printReady(1);
  const awakeMs = (stopCycleMs * Number(values.awake)) / 100;
  while (!viewer.hasEnded) {
    viewer.process.kill('SIGSTOP');
    await delay(stopCycleMs - awakeMs);
    viewer.process.kill('SIGCONT');
    await delay(awakeMs);
  }
}

if (values.flv) readSlowly(values.flv);
else if (values.whep) await playStumbling(values.whep);
else {
  console.error(
    '--flv http://127.0.0.1:port/live/name.flv or --whep http://127.0.0.1:port/rtc/v1/whep/?app=live&stream=name',
  );
  process.exit(2);
}
