// The backend of the bare proxy: a Node server with three API responses of the product. All except `host/versions` require the bearer.
//   node bench/bare/answers.ts <socket> <bearer>
import { createServer } from 'node:http';

const [socketPath = '', bearer = ''] = process.argv.slice(2);
const expected = `Bearer ${bearer}`;
const data: Record<string, object> = {
  '/terraform/v1/host/versions': { version: 'v0.0.0' },
  '/terraform/v1/mgmt/status': {
    version: 'v0.0.0',
    releases: { version: 'v0.0.0', stable: 'v0.0.0', latest: 'v0.0.0' },
    upgrading: false,
    strategy: 'manual',
  },
  '/terraform/v1/hooks/srs/secret/query': { publish: 'bench', pubNoAuth: false, revision: 'wdHaWoN3jUo4SKZ1' },
};

createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const found = data[request.url ?? ''];
    const isOpen = request.url === '/terraform/v1/host/versions';
    const status = !found ? 404 : isOpen || request.headers.authorization === expected ? 200 : 401;
    const body = JSON.stringify({ code: status === 200 ? 0 : 100, server: process.pid, data: found ?? null });
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
}).listen(socketPath, () => process.send?.('ready'));
process.once('disconnect', () => process.exit(0));
