// The gateways of this node and of another node as one media server. The connection to the other node uses real TLS.
import { connect } from 'node:net';
import { createServer } from 'node:tls';
import { readSrsStreamRow } from '@srs-stack/contract/wire/srs-rows.ts';
import { createClusterTls } from '@srs-stack/process/cluster/cluster-tls.ts';
import type { KnownNode } from '@srs-stack/process/cluster/known-nodes.ts';
import { expect, it, onTestFinished } from 'vitest';
import { type MediaServerDouble, startMediaServerDouble } from '../testing/media-server-double.ts';
import { createClusterGateways } from './cluster-gateways.ts';
import { fixedAddresses } from './media-server-address.ts';
import { createMediaServers } from './media-servers.ts';

const tlsOf = (nodeId: string, secret = 'sixteen letters and more') =>
  createClusterTls({ secret, clusterName: 'test', nodeId });

async function startDouble(): Promise<MediaServerDouble> {
  const double = await startMediaServerDouble();
  onTestFinished(() => double.close());
  return double;
}

/** A node whose internal port leads to the test double of a gateway. */
async function openNode(id: string, double: MediaServerDouble, secret?: string): Promise<KnownNode> {
  const tls = await tlsOf(id, secret);
  const server = createServer(tls.serverOptions(), (socket) => {
    const gateway = connect(double.port, '127.0.0.1');
    for (const each of [socket, gateway]) each.on('error', () => undefined);
    socket.pipe(gateway).pipe(socket);
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return {
    id,
    name: `node ${id}`,
    host: '127.0.0.1',
    port: typeof address === 'object' ? address!.port : 0,
    gateways: 1,
  };
}

function openServers(
  own: MediaServerDouble,
  nodes: () => readonly KnownNode[],
  tls: Awaited<ReturnType<typeof tlsOf>>,
) {
  const addresses = fixedAddresses([{ host: '127.0.0.1', port: own.port }]);
  const servers = createMediaServers(createClusterGateways({ own: addresses, nodes, tls }));
  onTestFinished(() => servers.close());
  return servers;
}

const row = (id: string, name: string, protocol: string, viewers: object) =>
  readSrsStreamRow({
    ...{ id, name, app: 'live', url: `/live/${name}`, clients: 1, publish: { active: true, cid: `p-${id}` } },
    ext: { hasMedia: true, protocol, viewersByProtocol: viewers },
  });

it('counts and disconnects clients of another node, and forgets a node that has left', async () => {
  const [own, far] = [await startDouble(), await startDouble()];
  own.streams = [row('1', 'here', 'rtmp', { flv: 1 }), row('2', 'there', 'copy', { flv: 2 })];
  far.streams = [row('3', 'there', 'srt', { rtc: 1 })];
  let nodes = [await openNode('b', far)];
  const servers = openServers(own, () => nodes, await tlsOf('a'));
  const shown = async () => (await servers.listStreams()).map(({ stream, clients }) => `${stream} ${clients}`);
  expect(await shown()).toEqual(['here 2', 'there 4']);
  await servers.disconnect('p-3');
  expect(far.requests).toContain('GET /api/v1/clients/p-3');
  expect((await servers.summarize()).servers.map(({ name }) => name)).toEqual([
    `127.0.0.1:${own.port}`,
    'node b/gateway-0',
  ]);
  nodes = [];
  // This node still lists its copy of `there`, which waits for a publisher.
  expect((await servers.listStreams()).map(({ stream }) => stream)).toEqual(['here', 'there']);
  expect((await servers.summarize()).servers).toHaveLength(1);
});

it('reports why a node is left out', async () => {
  const [own, far] = [await startDouble(), await startDouble()];
  const nodes = [await openNode('b', far, 'another secret of letters')];
  const servers = openServers(own, () => nodes, await tlsOf('a'));
  expect(await servers.listStreams()).toEqual([]);
  expect(far.requests).toEqual([]);
  own.isAway = true;
  await expect(servers.disconnect('p')).rejects.toThrow();
});
