// Free ports, for programs that must know each other's port before they start, or that restart on the same one. They are below the kernel's
// range for outgoing connections (32768 and up on Linux), so that no outgoing connection takes a port during a restart.
import { once } from 'node:events';
import { createServer } from 'node:net';

const lowest = 12_000;
/** Files that run simultaneously use separate ranges. */
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
    // Binds all addresses, so that a listener on any address is detected.
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

/** Listen values for a server that restarts on the same ports, to which encoders and viewers reconnect. */
export async function portsToReturnTo(): Promise<Readonly<Record<string, string>>> {
  const [http, https, rtmp, api] = [await freePort(), await freePort(), await freePort(), await freePort()];
  return {
    MGMT_LISTEN: String(http),
    HTTPS_LISTEN: String(https),
    RTMP_LISTEN: String(rtmp),
    SRS_API_LISTEN: `127.0.0.1:${api}`,
  };
}
