// A minimal upload server: writes the body to a file. The baseline of the upload benchmark.
//   node plain-upload-server.ts --port 28081 --file /tmp/x
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { printReady } from '../lib/tool-output.ts';

const writeBufferBytes = 256 * 1024;
const { values } = parseArgs({ options: { port: { type: 'string' }, file: { type: 'string' } } });
const { port, file } = values;
if (!port || !file) {
  console.error('--port and --file');
  process.exit(2);
}
createServer(async (request, response) => {
  await pipeline(request, createWriteStream(file, { highWaterMark: writeBufferBytes }));
  response.end('ok');
}).listen(Number(port), '127.0.0.1', () => printReady(1));
