// Gateways of three nodes with minimal engines and separate data folders, over real TLS on loopback.
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket, connect as tcpConnect } from 'node:net';
import { join } from 'node:path';
import { connect as tlsConnect } from 'node:tls';
import type { StreamOrigins } from '@srs-stack/engine';
import { type ClusterTls, createClusterTls } from '@srs-stack/process/cluster/cluster-tls.ts';
import { type KnownNode, writeKnownNodes } from '@srs-stack/process/cluster/known-nodes.ts';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { NodeListener } from '../src/nodes/node-listener.ts';
import { NodeGateways } from '../src/siblings/node-gateways.ts';
import { ViewerReports } from '../src/viewers/viewer-reports.ts';
import { makeDataDir } from './gateway-fixture.ts';
import { ownPublisherOf, PublishingEngine } from './publishing-engine.ts';

const key = { vhost: '__defaultVhost__', app: 'live', stream: 'known' };
const secret = 'sixteen letters and more';
const logged: { reason?: string; msg: string }[] = [];
const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
const tlsOf = new Map<string, ClusterTls>();
const waitMs = { timeout: 15_000, interval: 20 };

beforeAll(async () => {
  const made = await Promise.all(
    ['a', 'b', 'c'].map((nodeId) => createClusterTls({ secret, clusterName: 'test', nodeId })),
  );
  for (const tls of made) tlsOf.set(tls.nodeId, tls);
});
afterEach(() => {
  logged.length = 0;
});

interface TestNode {
  readonly engine: PublishingEngine;
  readonly gateway: NodeGateways;
  readonly origins: StreamOrigins;
  readonly known: KnownNode;
  /** Sets the nodes that the control plane of this node has found. */
  meet(...nodes: KnownNode[]): Promise<void>;
}

async function startNode(id: string, gateways = { count: 1, index: 0 }, folder?: string, port = 0): Promise<TestNode> {
  const dataDir = folder ?? (await makeDataDir());
  await mkdir(join(dataDir, 'run'), { recursive: true });
  const cluster = { tls: tlsOf.get(id)!, listen: { host: '127.0.0.1', port, reusePort: gateways.count > 1 } };
  const gateway = new NodeGateways({
    dataDir,
    gateways,
    callbackSecret: 'x',
    cluster,
    reports: new ViewerReports(),
    log,
  });
  onTestFinished(() => gateway.close());
  const engine = new PublishingEngine();
  const bound = await gateway.serve(engine, {
    api: (request, response) => response.end(`api of ${id} ${request.url}`),
    nodeCalls: (request, response) => response.end(`control plane of ${id} ${request.url}`),
  });
  const known = { id, name: `node ${id}`, host: '127.0.0.1', port: bound ?? 0, gateways: gateways.count };
  const meet = (...nodes: KnownNode[]) => writeFile(join(dataDir, 'run', 'nodes.json'), writeKnownNodes(nodes));
  return { engine, gateway, origins: gateway.ports.origins, known, meet };
}

const knows = ({ origins }: TestNode, isPublished = true) =>
  vi.waitFor(() => expect(origins.publishedSince(key) !== undefined).toBe(isPublished), waitMs);

async function startTwo() {
  const [a, b] = await Promise.all([startNode('a'), startNode('b')]);
  await Promise.all([a.meet(b.known), b.meet(a.known)]);
  return { a, b };
}

describe('gateways of other nodes', () => {
  it('announce and send their streams, from the start to the end', async () => {
    const { a, b } = await startTwo();
    a.engine.begin(key);
    await knows(b);
    expect([b.origins.isRemote(key), a.origins.isRemote(key)]).toEqual([true, false]);
    let text = '';
    for await (const bytes of await b.origins.pull(key)) text += bytes;
    expect(text).toBe('tags');
    b.origins.requestKeyframe(key);
    await vi.waitFor(() => expect(a.engine.keyframesAsked).toEqual(['known']), waitMs);
    a.engine.yields = false;
    expect(await b.origins.takeOver(key)).toBe(false);
    a.engine.end(key);
    await knows(b, false);
    expect(b.origins.isRemote(key)).toBe(true);
  });

  it('are reached by their number on the one port of their node', async () => {
    const folder = await makeDataDir();
    const first = await startNode('a', { count: 2, index: 0 }, folder);
    const second = await startNode('a', { count: 2, index: 1 }, folder, first.known.port);
    const b = await startNode('b');
    await b.meet(first.known);
    second.engine.begin(key);
    await knows(b);
    await knows(first);
    expect(first.origins.isRemote(key)).toBe(false);
    let text = '';
    for await (const bytes of await b.origins.pull(key)) text += bytes;
    expect(text).toBe('tags');
  });

  it('serve control planes of other nodes', async () => {
    const { a } = await startTwo();
    const way = { host: '127.0.0.1', port: a.known.port, ...tlsOf.get('c')!.clientOptions('a', 0) };
    const { request } = await import('node:https');
    const ask = (path: string) =>
      new Promise((resolve, reject) => {
        const call = request({ ...way, path, agent: false }, async (answer) => {
          resolve(Buffer.concat(await answer.toArray()).toString());
        });
        call.on('error', reject).end();
      });
    expect(await ask('/api/v1/versions')).toBe('api of a /api/v1/versions');
    expect(await ask('/terraform/v1/nodes/records/x.m3u8')).toBe(
      'control plane of a /terraform/v1/nodes/records/x.m3u8',
    );
    // No other call of the control plane is reachable on this port.
    expect(await ask('/terraform/v1/mgmt/status')).toBe('');
  });

  it('keep the older of two publishers after a network split, on both sides', async () => {
    const { a, b } = { a: await startNode('a'), b: await startNode('b') };
    b.engine.begin(key);
    const beganMs = Date.now();
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(beganMs), waitMs);
    a.engine.begin(key);
    await Promise.all([a.meet(b.known), b.meet(a.known)]);
    await vi.waitFor(() => expect(a.engine.kicked).toEqual([ownPublisherOf('known').clientId]), waitMs);
    await knows(a);
    await knows(b);
    expect(b.engine.kicked).toEqual([]);
  });

  it('keep one of three simultaneous publishers, in any order of announcements', async () => {
    const nodes = await Promise.all([startNode('a'), startNode('b'), startNode('c')]);
    await Promise.all(nodes.map(({ meet }) => meet(...nodes.map(({ known }) => known))));
    for (const [index, { engine }] of nodes.entries()) engine.begin({ ...key, stream: `of-${index}` });
    // Each node has received the announcements of the other two nodes, so every connection exists.
    for (const { origins } of nodes) {
      await vi.waitFor(() => {
        const heard = nodes.filter(
          (_, index) => origins.publishedSince({ ...key, stream: `of-${index}` }) !== undefined,
        );
        expect(heard).toHaveLength(2);
      }, waitMs);
    }
    const streams = Array.from({ length: 60 }, (_, index) => `race-${index}`);
    for (const [index, stream] of streams.entries()) {
      // In each round, a different node publishes first. In some rounds, all nodes publish in the same millisecond.
      for (let turn = 0; turn < nodes.length; turn++) {
        const { engine, origins } = nodes[(index + turn) % nodes.length]!;
        // The engine makes this check before admitting a publisher.
        if (origins.publishedSince({ ...key, stream }) === undefined) engine.begin({ ...key, stream });
        if (index % 4 === turn) await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await vi.waitFor(() => {
      for (const stream of streams) {
        const { clientId } = ownPublisherOf(stream);
        const letIn = nodes.filter(({ engine }) => engine.shownStreams.some((each) => each.stream === stream));
        expect(letIn.filter(({ engine }) => !engine.kicked.includes(clientId))).toHaveLength(1);
      }
    }, waitMs);
  });

  it('are dropped without a heartbeat, with the streams pulled from them, and found again', async () => {
    const { a, b } = { a: await startNode('a'), b: await startNode('b') };
    const line = await startLine(a.known.port);
    await b.meet({ ...a.known, port: line.port });
    a.engine.begin(key);
    await knows(b);
    vi.spyOn(a.engine, 'sendCopy').mockImplementation((_key, open) => {
      (open?.() as unknown as Socket | undefined)?.write('tags');
      return true;
    });
    const source = await b.origins.pull(key);
    const ended = new Promise<void>((resolve) => source.once('close', resolve));
    source.on('error', () => undefined).resume();
    line.isCut = true;
    await ended;
    expect(b.origins.publishedSince(key)).toBeUndefined();
    line.isCut = false;
    await knows(b);
  });

  it('that are no longer listed stay while connected, and are dropped then', async () => {
    const { a, b } = await startTwo();
    a.engine.begin(key);
    await knows(b);
    await b.meet();
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(b.origins.publishedSince(key)).toBeDefined();
    a.gateway.close();
    await knows(b, false);
  });

  it('with another secret are distinguished from unavailable ones', async () => {
    const other = await createClusterTls({ secret: 'another secret of letters', clusterName: 'test', nodeId: 'b' });
    tlsOf.set('stranger', other);
    const a = await startNode('a');
    const stranger = await startNode('stranger');
    await Promise.all([a.meet({ ...stranger.known, id: 'b' }), stranger.meet(a.known)]);
    const reason = 'the other node has a different CLUSTER_SECRET or CLUSTER_NAME';
    await vi.waitFor(() => {
      const warnings = logged.filter(({ msg }) => msg === 'a gateway of another node is unreachable');
      expect(warnings.map((each) => each.reason)).toEqual([reason, reason]);
    }, waitMs);
  });
});

describe('HLS of a stream on another node', () => {
  /** A server whose requests this node forwards to the node with the stream. */
  async function viewersOf({ origins }: TestNode) {
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
      if (!origins.forward(key, request, response)) response.writeHead(410).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    return (path: string, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers });
  }

  async function startViewed(answer: (request: IncomingMessage, response: ServerResponse) => void) {
    const { a, b } = await startTwo();
    const requested: string[] = [];
    vi.spyOn(a.engine, 'handleRequest').mockImplementation((request, response) => {
      requested.push(request.url ?? '');
      answer(request, response);
      return true;
    });
    a.engine.begin(key);
    await knows(b);
    return { requested, get: await viewersOf(b) };
  }

  const publicly = { 'Cache-Control': 'public, max-age=600' };
  const answering = (text: string, headers: Record<string, string>) => (_request: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'Content-Length': text.length, ...headers }).end(text);

  it('fetches a segment once for concurrent requests, and caches it', async () => {
    let held = Promise.resolve();
    let go = (): void => undefined;
    const { requested, get } = await startViewed(async (request, response) => {
      await held;
      answering('segment', publicly)(request, response);
    });
    await get('/live/known-0-0.ts?hls_ctx=1');
    held = new Promise((resolve) => {
      go = resolve;
    });
    const viewers = ['1', '2', '3'].map((context) => get(`/live/known-0-1.ts?hls_ctx=${context}`));
    await vi.waitFor(() => expect(requested).toHaveLength(2), waitMs);
    go();
    for (const answer of await Promise.all(viewers)) expect(await answer.text()).toBe('segment');
    expect(await (await get('/live/known-0-1.ts?hls_ctx=4')).text()).toBe('segment');
    expect(requested).toEqual(['/live/known-0-0.ts?hls_ctx=1', '/live/known-0-1.ts']);
    expect((await get('/live/known-0-1.ts', { range: 'bytes=0-1' })).status).toBe(200);
    expect(requested).toHaveLength(3);
  });

  it('fetches low-latency media once too', async () => {
    const { requested, get } = await startViewed(answering('part', publicly));
    for (const context of ['1', '2', '3']) await get(`/live/known.ll.4f.p7.m4s?hls_ctx=${context}`);
    expect(requested).toEqual(['/live/known.ll.4f.p7.m4s?hls_ctx=1', '/live/known.ll.4f.p7.m4s']);
  });

  it('waits once for equal low-latency playlist requests, whatever the number of players', async () => {
    let held = Promise.resolve();
    let go = (): void => undefined;
    const { requested, get } = await startViewed(async (request, response) => {
      await held;
      answering('list', { 'Cache-Control': 'public, max-age=12' })(request, response);
    });
    const path = '/live/known.ll.m3u8';
    await get(`${path}?_HLS_msn=4&_HLS_part=0`);
    held = new Promise((resolve) => {
      go = resolve;
    });
    const players = [1, 2, 3].map(() => get(`${path}?_HLS_msn=4&_HLS_part=1&_HLS_skip=YES`));
    await vi.waitFor(() => expect(requested).toHaveLength(2), waitMs);
    const other = get(`${path}?_HLS_msn=5`);
    await vi.waitFor(() => expect(requested).toHaveLength(3), waitMs);
    go();
    for (const answer of await Promise.all([...players, other])) expect(await answer.text()).toBe('list');
    // Requests with other parameters may depend on the viewer and are therefore not shared.
    await get(`${path}?_HLS_msn=5&_HLS_part=1&hls_ctx=1`);
    await get(`${path}?_HLS_msn=5&_HLS_part=1&watch=right`);
    await get(`${path}?_HLS_msn=5&_HLS_part=01e9`);
    expect(requested).toHaveLength(6);
  });

  it('does not share responses when access is restricted, even if it was open before', async () => {
    let isOpen = false;
    const { requested, get } = await startViewed((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://node');
      if (isOpen) answering('segment', publicly)(request, response);
      else if (searchParams.get('watch') !== 'right') response.writeHead(403, { 'Content-Length': 0 }).end();
      else answering('segment', { 'Cache-Control': 'private, max-age=600' })(request, response);
    });
    const statuses = async (segment: number) => {
      const viewers = ['right', 'wrong', 'right'].map((watch) => get(`/live/known-0-${segment}.ts?watch=${watch}`));
      return (await Promise.all(viewers)).map(({ status }) => status);
    };
    expect(await statuses(1)).toEqual([200, 403, 200]);
    expect(await statuses(1)).toEqual([200, 403, 200]);
    expect(requested).toHaveLength(6);
    isOpen = true;
    expect(await statuses(2)).toEqual([200, 200, 200]);
    isOpen = false;
    // The first request is sent without credentials and refused. The following requests contain the viewer's credentials.
    expect(await statuses(3)).toEqual([200, 403, 200]);
    expect(await statuses(4)).toEqual([200, 403, 200]);
  });

  it('caches neither missing segments nor responses for one viewer', async () => {
    let status = 404;
    const { requested, get } = await startViewed((request, response) => {
      const headers = request.url?.endsWith('.m3u8') ? { 'Cache-Control': 'no-cache' } : {};
      response.writeHead(status, { 'Content-Length': 2, ...headers }).end('no');
    });
    expect((await get('/live/known-0-9.ts')).status).toBe(404);
    expect((await get('/live/known-0-9.ts')).status).toBe(404);
    status = 200;
    await get('/live/known.m3u8');
    await get('/live/known.m3u8');
    expect(requested).toHaveLength(4);
  });

  it('fetches public playlists once in their lifetime', async () => {
    const { requested, get } = await startViewed(answering('list', { 'Cache-Control': 'public, max-age=10' }));
    for (let viewer = 0; viewer < 5; viewer++) expect(await (await get('/live/known.m3u8')).text()).toBe('list');
    expect(requested).toHaveLength(2);
  });
});

describe('the internal port', () => {
  async function openListener(handshakeMs?: number) {
    const entered: string[] = [];
    const listener = new NodeListener({
      ...{ tls: tlsOf.get('a')!, listen: { host: '127.0.0.1', port: 0 }, dataDir: await makeDataDir() },
      ...{ gateways: { count: 1, index: 0 }, log, ...(handshakeMs !== undefined && { handshakeMs }) },
      accept: (socket) => {
        entered.push(String(socket.getPeerCertificate().subject.CN));
        socket.end('welcome');
      },
    });
    onTestFinished(() => listener.close());
    return { listener, entered, port: await listener.listen() };
  }

  function visit(port: number, options: object): Promise<string> {
    return new Promise((resolve) => {
      const socket = tlsConnect({ host: '127.0.0.1', port, ...options });
      let text = '';
      socket.on('data', (bytes) => {
        text += bytes;
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
  }
  const refusals = () =>
    logged.filter(({ msg }) => msg.startsWith('this gateway refused a TLS connection')).map((each) => each.reason);

  it('admits only nodes of the cluster', async () => {
    const { port, entered } = await openListener();
    expect(await visit(port, tlsOf.get('b')!.clientOptions('a', 0))).toBe('welcome');
    const strangers = await Promise.all([
      createClusterTls({ secret: 'another secret of letters', clusterName: 'test', nodeId: 'b' }),
      createClusterTls({ secret, clusterName: 'other', nodeId: 'b' }),
      createClusterTls({ secret, clusterName: 'test', nodeId: 'b', nowMs: () => Date.now() - 30 * 86_400_000 }),
    ]);
    for (const tls of strangers) {
      const options = { ...tls.clientOptions('a', 0), rejectUnauthorized: false };
      expect(await visit(port, options)).toBe('');
    }
    expect(await visit(port, { servername: 'gateway-0', rejectUnauthorized: false })).toBe('');
    expect(await visit(port, { rejectUnauthorized: false })).toBe('');
    expect(await visit(port, tlsOf.get('b')!.clientOptions('a', 7))).toBe('');
    expect(entered).toEqual(['b']);
    const otherSecret = 'the other node has a different CLUSTER_SECRET or CLUSTER_NAME';
    await vi.waitFor(() => {
      expect(refusals()).toEqual([
        otherSecret,
        otherSecret,
        'a certificate is expired or not valid yet: compare the clocks of both servers',
        'the peer sent no certificate, so it is not a node of a cluster',
        expect.any(String),
      ]);
    }, waitMs);
  });

  it('resumes no session: a session ticket is no certificate', async () => {
    const { port, entered } = await openListener();
    const options = { ...tlsOf.get('b')!.clientOptions('a', 0) };
    const sessions: Buffer[] = [];
    await new Promise((resolve) => {
      const socket = tlsConnect({ host: '127.0.0.1', port, ...options });
      socket.on('session', (session) => sessions.push(session));
      socket.on('close', resolve).resume();
    });
    expect([entered, sessions.length > 0]).toEqual([['b'], true]);
    for (const session of sessions) {
      expect(await visit(port, { servername: 'gateway-0', session, rejectUnauthorized: false })).toBe('');
      expect(await visit(port, { ...options, session })).toBe('');
    }
    expect(entered).toEqual(['b']);
  });

  it('supports only TLS 1.3, and sends other clients nothing', async () => {
    const { port, entered } = await openListener();
    expect(await visit(port, { servername: 'gateway-0', maxVersion: 'TLSv1.2', rejectUnauthorized: false })).toBe('');
    const responses = await Promise.all(
      ['GET / HTTP/1.1\r\n\r\n', '\0'.repeat(2_000), Buffer.from('16030100ff', 'hex')].map(
        (rubbish) =>
          new Promise<number>((resolve) => {
            const socket = tcpConnect(port, '127.0.0.1', () => socket.end(rubbish));
            let bytes = 0;
            socket.on('data', (chunk) => {
              bytes += chunk.length;
            });
            socket.on('error', () => undefined).on('close', () => resolve(bytes));
          }),
      ),
    );
    // The server sends at most a TLS alert, which has seven bytes.
    expect(Math.max(...responses)).toBeLessThanOrEqual(7);
    expect(entered).toEqual([]);
  });

  it('starts a hundred handshakes of one address per second, and admits nodes again in the next', async () => {
    const { port, listener } = await openListener();
    const knock = () =>
      new Promise<void>((resolve) => {
        const socket = tcpConnect(port, '127.0.0.1', () => socket.end('no hello'));
        socket.on('error', () => undefined).on('close', () => resolve());
        socket.resume();
      });
    for (let round = 0; round < 10 && listener.turnedAway === 0; round++)
      await Promise.all(Array.from({ length: 30 }, knock));
    expect(listener.turnedAway).toBeGreaterThan(0);
    const options = tlsOf.get('b')!.clientOptions('a', 0);
    await vi.waitFor(async () => expect(await visit(port, options)).toBe('welcome'), waitMs);
  });

  it('disconnects slow handshakes, also active ones, and bounds their number', async () => {
    const { port, listener } = await openListener(400);
    const hello = await clientHello();
    // Observed after each poll of the event loop: a busy machine may end all handshakes before a test that polls in intervals sees them.
    let peak = 0;
    let observed: NodeJS.Immediate;
    const observe = () => {
      peak = Math.max(peak, listener.handshakes);
      observed = setImmediate(observe);
    };
    observe();
    onTestFinished(() => clearImmediate(observed));
    const dawdlers = Array.from({ length: 80 }, () => tcpConnect(port, '127.0.0.1'));
    const ended = Promise.all(
      dawdlers.map((socket, index) => {
        socket.on('error', () => undefined);
        // Half of the clients send single bytes, which keep an idle timer from firing.
        let sent = 0;
        const timer = setInterval(
          () => index % 2 === 0 && socket.writable && socket.write(hello.subarray(sent, ++sent)),
          20,
        );
        return new Promise<void>((resolve) => {
          socket.on('close', () => {
            clearInterval(timer);
            resolve();
          });
        });
      }),
    );
    await ended;
    expect(peak).toBe(64);
    await vi.waitFor(() => expect(listener.handshakes).toBe(0), waitMs);
    expect(await visit(port, tlsOf.get('b')!.clientOptions('a', 0))).toBe('welcome');
  });
});

async function clientHello(): Promise<Buffer> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hello = new Promise<Buffer>((resolve) => server.once('connection', (socket) => socket.once('data', resolve)));
  const client = tlsConnect({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    servername: 'gateway-0',
  });
  client.on('error', () => undefined);
  const bytes = await hello;
  client.destroy();
  server.close();
  return bytes;
}

/** A proxy to a port of this machine. While `isCut` is true, all data is discarded. */
async function startLine(target: number): Promise<{ readonly port: number; isCut: boolean }> {
  const line = { port: 0, isCut: false };
  const sockets = new Set<Socket>();
  const server = createTcpServer((client) => {
    const upstream = tcpConnect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => {
        if (!line.isCut) to.write(bytes);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  line.port = (server.address() as AddressInfo).port;
  return line;
}
