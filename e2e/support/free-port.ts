// Free ports, for programs that must know a port before they start, or that restart on their port. The ports are below
// the range of the kernel for outgoing connections (32768 and up on Linux). So no outgoing connection can take a port
// during a restart.
import { once } from 'node:events';
import { createServer } from 'node:net';

const lowest = 12_000;
/** Test files that run simultaneously use separate ranges. */
const rangeSize = 2_000;
const ranges = 10;
const first = lowest + (Number(process.env.VITEST_POOL_ID ?? 0) % ranges) * rangeSize;
let next = Math.floor(Math.random() * rangeSize);

export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (next++ % rangeSize);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    // Listens on all addresses, to detect a listener on any address.
    server.listen(port);
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  }
}

/** Fixed listen settings for a server that restarts. Encoders and viewers reconnect to these ports. */
export async function portsToReturnTo(): Promise<Readonly<Record<string, string>>> {
  const [http, https, rtmp, api] = [await freePort(), await freePort(), await freePort(), await freePort()];
  return {
    MGMT_LISTEN: String(http),
    HTTPS_LISTEN: String(https),
    RTMP_LISTEN: String(rtmp),
    SRS_API_LISTEN: `127.0.0.1:${api}`,
  };
}
