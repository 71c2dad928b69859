// Baseline for performance goals: a minimal Node server with the structure of the product.
// Receives RTMP, sends HTTP-FLV with a GOP cache, and forwards calls to a second process over a Unix socket.
//   node bench/bare/server.ts <rtmp port> <http port> <bearer>
import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { FlvStreams } from './flv-streams.ts';
import { passOn } from './pass-on.ts';
import { takePublisher } from './rtmp-in.ts';

/** Maximum number of connections to the second process: more than the clients of any scenario. */
const platformConnections = 64;
const callPrefix = '/terraform/';

const [rtmpPort, httpPort, bearer = ''] = process.argv.slice(2);
const socketPath = join(tmpdir(), `bare-${process.pid}.sock`);
const answers = fork(fileURLToPath(new URL('answers.ts', import.meta.url)), [socketPath, bearer]);
const pool = new Pool('http://answers', { socketPath, connections: platformConnections, pipelining: 1 });
const streams = new FlvStreams();

answers.once('message', () => {
  createTcpServer({ noDelay: true }, (socket) => takePublisher(socket, (name) => streams.publish(name))).listen(
    Number(rtmpPort),
    '127.0.0.1',
  );
  createServer({ noDelay: true }, (request, response) => {
    const path = request.url ?? '/';
    if (path.startsWith(callPrefix)) passOn(pool, request, response);
    else streams.play(path, response);
  }).listen(Number(httpPort), '127.0.0.1');
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    answers.kill('SIGKILL');
    rmSync(socketPath, { force: true });
    process.exit(0);
  });
}
