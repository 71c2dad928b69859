// RTMP server that accepts every publisher and counts its bytes: the target of forwards.
//
//   node rtmp-sink.ts --port 28094
//
// Prints READY, and at SIGTERM "RESULT {json}".
import { createServer } from 'node:net';
import { parseArgs } from 'node:util';
import { takePublisher } from '../bare/rtmp-in.ts';
import { cpuSeconds, printReady, printResult } from '../lib/tool-output.ts';

const { values } = parseArgs({ options: { port: { type: 'string' } } });
if (!values.port) {
  console.error('--port');
  process.exit(2);
}
const bytes = new Map<string, number>();
let connections = 0;
createServer((socket) => {
  connections += 1;
  takePublisher(socket, (name) => (_type, _timestampMs, body) => bytes.set(name, (bytes.get(name) ?? 0) + body.length));
}).listen(Number(values.port), '127.0.0.1', () => printReady(1));

function end(): void {
  const counts = [...bytes.values()];
  const range = { leastBytes: Math.min(...counts), mostBytes: Math.max(...counts) };
  printResult({ connections, streams: counts.length, ...range, cpu: cpuSeconds() });
  process.exit(0);
}
process.on('SIGTERM', end);
process.on('SIGINT', end);
