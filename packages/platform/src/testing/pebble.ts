// An ACME authority for tests: Debian's pebble on loopback, with a DNS server for test names.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSelfSigned } from '../certificates/self-signed.ts';

export interface Pebble {
  readonly directoryUrl: string;
  /** `address:port` of the DNS server, for product and authority. */
  readonly dnsServer: string;
  readonly certificate: string;
  readonly certificateFile: string;
  close(): Promise<void>;
}

export interface PebbleOptions {
  /** The authority connects to this port for HTTP-01. */
  readonly httpPort: number;
  /** Names that resolve to 127.0.0.1. All other names are unknown. */
  readonly names: readonly string[];
  readonly validSeconds?: number;
}

export async function startPebble({ httpPort, names, validSeconds }: PebbleOptions): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'srs-pebble-'));
  const dns = await startDnsServer(names);
  const { key, crt } = makeSelfSigned(new Date());
  const [port, managementPort] = [await freePort(), await freePort()];
  const files = { key: join(folder, 'key.pem'), crt: join(folder, 'crt.pem'), config: join(folder, 'config.json') };
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: files.crt,
    privateKey: files.key,
    httpPort,
    tlsPort: httpPort,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
    ...(validSeconds === undefined ? {} : { certificateValidityPeriod: validSeconds }),
  };
  await Promise.all([
    writeFile(files.key, key),
    writeFile(files.crt, crt),
    writeFile(files.config, JSON.stringify({ pebble })),
  ]);
  const stop = await runPebble(['-config', files.config, '-dnsserver', dns.address]);
  return {
    directoryUrl: `https://127.0.0.1:${port}/dir`,
    dnsServer: dns.address,
    certificate: crt,
    certificateFile: files.crt,
    async close() {
      await stop();
      dns.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when the authority responds, with a function that stops the authority. */
async function runPebble(args: readonly string[]): Promise<() => Promise<void>> {
  const child = spawn('pebble', args, {
    // Disables random delays and nonce refusals, because tests must be deterministic.
    env: { PATH: process.env.PATH, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0', PEBBLE_AUTHZREUSE: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = once(child, 'exit').then(() => Promise.reject(new Error(`pebble ended: ${output}`)));
  exited.catch(() => undefined);
  const listening = new Promise<void>((resolve) => {
    const onData = (chunk: Buffer) => {
      output += chunk;
      if (/Listening on/.test(output)) resolve();
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
  });
  await Promise.race([listening, exited]);
  return async () => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGKILL')) await ended;
  };
}

const typeA = 1;

/**
 * Answers A queries for known names with 127.0.0.1, and other queries for known names with an empty response. Answers unknown names with
 * NXDOMAIN.
 */
async function startDnsServer(names: readonly string[]): Promise<{ address: string; close(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const question = readQuestion(query);
    const isKnown = names.includes(question.name.toLowerCase());
    const recordCount = isKnown && question.type === typeA ? 1 : 0;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    // QR, RD, RA. RCODE 3 means an unknown name (RFC 1035 §4.1.1).
    header.writeUInt16BE(0x8180 | (isKnown ? 0 : 3), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(recordCount, 6);
    const record = Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1]);
    const parts = [header, query.subarray(12, question.end), ...(recordCount > 0 ? [record] : [])];
    socket.send(Buffer.concat(parts), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let offset = 12;
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(offset + 1), end: offset + 5 };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
