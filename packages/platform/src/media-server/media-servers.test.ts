import { AppError } from '@srs-stack/contract';
import { readSrsClientRow, readSrsStreamRow } from '@srs-stack/contract/wire/srs-rows.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MediaServerDouble, startMediaServerDouble } from '../testing/media-server-double.ts';
import { fixedAddresses } from './media-server-address.ts';
import { createMediaServers, type MediaServers } from './media-servers.ts';

let origin: MediaServerDouble;
let edge: MediaServerDouble;
let servers: MediaServers;
const open = (...doubles: readonly MediaServerDouble[]) =>
  createMediaServers(fixedAddresses(doubles.map(({ port }) => ({ host: '127.0.0.1', port }))));
beforeEach(async () => {
  origin = await startMediaServerDouble();
  edge = await startMediaServerDouble();
  servers = open(origin, edge);
});
afterEach(async () => {
  servers.close();
  await origin.close();
  await edge.close();
});

const stream = (id: string, cid: string | undefined, fields: object = {}) =>
  readSrsStreamRow({
    ...{ id, name: 'a', app: 'live', url: '/live/a', clients: 1, send_bytes: 100, recv_bytes: 50 },
    publish: cid === undefined ? { active: false } : { active: true, cid },
    video: { codec: 'H264' },
    ...fields,
  });
const client = (id: string, of: string, type: string, fields: object = {}) =>
  readSrsClientRow({ id, stream: of, type, publish: type.endsWith('publish'), ip: '127.0.0.1', alive: 1, ...fields });
const measured = (protocol: string, viewersByProtocol: object, slowViewers = 0) => ({
  ext: { hasMedia: true, protocol, viewersByProtocol, slowViewers, fps: 25 },
});
const idsOf = (clients: readonly { id: string }[]) => clients.map(({ id }) => id).sort();

/** An SRS edge reports its first viewer as publisher. Its pull is a player at the origin. */
function playOverSrsEdge(): void {
  origin.streams = [stream('vid-o', 'pub', { clients: 3 })];
  origin.clients = [
    client('pub', 'vid-o', 'fmle-publish', { alive: 60 }),
    client('near', 'vid-o', 'rtmp-play', { alive: 55 }),
    client('pull', 'vid-o', 'rtmp-play', { alive: 30 }),
  ];
  edge.streams = [stream('vid-e', 'far1', { clients: 2 })];
  edge.clients = [client('far1', 'vid-e', 'rtmp-play', { alive: 30 }), client('far2', 'vid-e', 'flv-play')];
}

describe('several media servers as one', () => {
  it('report a stream of an SRS cluster once, from its origin, with the viewers of the edge and without its pull', async () => {
    playOverSrsEdge();
    // The edge is first in the list, but its publisher must be ignored.
    servers = open(edge, origin);
    expect(await servers.listStreams()).toMatchObject([
      { id: 'vid-o', isPublished: true, publisherClientId: 'pub', clients: 4, sentBytes: 200, receivedBytes: 50 },
    ]);
    const clients = await servers.listClients();
    expect(idsOf(clients)).toEqual(['far1', 'far2', 'near', 'pub']);
    expect(new Set(clients.map(({ streamId }) => streamId))).toEqual(new Set(['vid-o']));
  });

  it('find the pull of a remote edge by its start time, and omit unknown values', async () => {
    playOverSrsEdge();
    origin.clients = origin.clients.map((each) => ({ ...each, ip: '203.0.113.7' }));
    expect(idsOf(await servers.listClients())).toEqual(['far1', 'far2', 'near', 'pub']);
    origin.clients = origin.clients.filter(({ id }) => id !== 'pull');
    expect(idsOf(await servers.listClients())).toEqual(['far1', 'far2', 'near', 'pub']);
  });

  it('do not request clients again while rows are unchanged', async () => {
    playOverSrsEdge();
    await servers.listStreams();
    origin.requests.length = 0;
    edge.requests.length = 0;
    await servers.listStreams();
    expect([...origin.requests, ...edge.requests]).toEqual(
      Array.from({ length: 2 }, () => 'GET /api/v1/streams/?start=0&count=1000'),
    );
  });

  it('count a publisher behind an edge once', async () => {
    origin.streams = [stream('vid-o', 'relayed', { clients: 2 })];
    origin.clients = [client('relayed', 'vid-o', 'flash-publish'), client('pull', 'vid-o', 'rtmp-play')];
    edge.streams = [stream('vid-e', 'viewer', { clients: 2 })];
    edge.clients = [client('encoder', 'vid-e', 'fmle-publish'), client('viewer', 'vid-e', 'flv-play')];
    expect(await servers.listStreams()).toMatchObject([{ id: 'vid-o', publisherClientId: 'relayed', clients: 2 }]);
    expect(idsOf(await servers.listClients())).toEqual(['relayed', 'viewer']);
    edge.streams = [stream('vid-e2', undefined, { clients: 1 })];
    edge.clients = [client('encoder', 'vid-e2', 'fmle-publish')];
    origin.streams = [stream('vid-o', 'relayed', { clients: 1 })];
    expect(await servers.listStreams()).toMatchObject([{ id: 'vid-o', clients: 1 }]);
  });

  it('treat a stream that only has waiting viewers at an edge as not published', async () => {
    edge.streams = [stream('vid-e', 'waiting')];
    edge.clients = [client('waiting', 'vid-e', 'rtmp-play')];
    expect(await servers.listStreams()).toMatchObject([{ isPublished: false, publisherClientId: '', clients: 1 }]);
  });

  it('add the viewers of copies that the built-in engine reports, without its pulls and without client lists', async () => {
    origin.streams = [stream('vid-o', 'pub', { clients: 4, ...measured('rtmp', { flv: 2, copy: 1 }, 1) })];
    edge.streams = [stream('vid-e', 'c', { clients: 4, ...measured('copy', { flv: 1, rtc: 2 }, 2) })];
    const [merged, ...others] = await servers.listStreams();
    expect(others).toEqual([]);
    expect(merged).toMatchObject({ id: 'vid-o', clients: 6, publisherClientId: 'pub' });
    expect(merged?.details).toMatchObject({ protocol: 'rtmp', fps: 25, slowViewers: 3 });
    expect(merged?.details?.viewersByProtocol).toEqual({ flv: 3, rtc: 2 });
    expect(edge.requests.filter((path) => path.includes('clients'))).toEqual([]);
    origin.clients = [client('pub', 'vid-o', 'fmle-publish'), client('cp', 'vid-o', 'copy-play')];
    edge.clients = [client('c', 'vid-e', 'copy', { publish: true }), client('v', 'vid-e', 'flv-play')];
    expect(await servers.listClients()).toMatchObject([
      { id: 'pub', streamId: 'vid-o' },
      { id: 'v', streamId: 'vid-o' },
    ]);
  });

  it('return SRS rows without duplicates, with the viewers of all servers', async () => {
    origin.streams = [stream('vid-o', 'pub', { clients: 2, frames: 7, ...measured('rtmp', { flv: 1, copy: 1 }, 1) })];
    edge.streams = [stream('vid-e', 'c', { clients: 3, ...measured('copy', { flv: 1, rtc: 1 }, 1) })];
    origin.clients = [client('pub', 'vid-o', 'fmle-publish'), client('near', 'vid-o', 'flv-play', { tcUrl: 'kept' })];
    edge.clients = [client('c', 'vid-e', 'copy-publish'), client('far', 'vid-e', 'rtc-play')];
    const [row, ...others] = (await servers.rows('streams')) ?? [];
    expect(others).toEqual([]);
    expect(row).toMatchObject({ id: 'vid-o', clients: 4, send_bytes: 200, publish: { active: true, cid: 'pub' } });
    expect(row?.ext).toMatchObject({ hasMedia: true, viewersByProtocol: { flv: 2, rtc: 1 }, slowViewers: 2 });
    const clients = (await servers.rows('clients')) ?? [];
    expect(clients.map(({ id, stream: of }) => [id, of])).toEqual([
      ['pub', 'vid-o'],
      ['near', 'vid-o'],
      ['far', 'vid-o'],
    ]);
    expect(await open(origin).rows('streams')).toBeUndefined();
  });

  it('detect a copy by its publisher when the row has no mark', async () => {
    edge.streams = [stream('vid-e', 'c', measured('rtmp', { flv: 1 }))];
    edge.clients = [client('c', 'vid-e', 'copy', { publish: true })];
    origin.streams = [stream('vid-o', 'pub', measured('rtmp', {}))];
    origin.clients = [client('pub', 'vid-o', 'fmle-publish')];
    servers = open(edge, origin);
    expect(await servers.listStreams()).toMatchObject([{ id: 'vid-o', publisherClientId: 'pub', clients: 2 }]);
  });

  it('separate virtual hosts, and treat two addresses of one server as one server', async () => {
    origin.streams = [stream('1', 'p', measured('rtmp', { flv: 1 }))];
    edge.streams = [
      stream('2', 'q', { ...measured('rtmp', {}), url: 'example.com/live/a' }),
      stream('1', 'p', measured('rtmp', { flv: 1 })),
    ];
    const rows = await servers.listStreams();
    expect(rows.map(({ id, vhost, clients }) => [id, vhost, clients])).toEqual([
      ['1', '__defaultVhost__', 2],
      ['2', 'example.com', 1],
    ]);
  });

  it('read a keyframe where the stream is published, and kick where the client is', async () => {
    playOverSrsEdge();
    origin.keyframes.set('vid-o', Buffer.from('FLV'));
    await servers.listStreams();
    edge.requests.length = 0;
    expect(await servers.readKeyframe('vid-o')).toEqual(Buffer.from('FLV'));
    expect(edge.requests).toEqual([]);
    expect(await servers.readKeyframe('vid-unknown')).toBeUndefined();
    await servers.disconnect('far2');
    await servers.disconnect('gone');
    expect([idsOf(edge.clients), origin.clients.length]).toEqual([['far1'], 3]);
  });

  it('merge refusals newest first, and add up metrics', async () => {
    expect(await servers.listRefusals()).toBeUndefined();
    const refusal = (second: number) => ({ at: `2026-01-02T03:04:0${second}.000Z`, action: 'publish', stream: 's' });
    origin.refusals = [refusal(5), refusal(1)];
    edge.refusals = [refusal(3)];
    expect((await servers.listRefusals())?.map(({ at }) => at.slice(-6, -5))).toEqual(['5', '3', '1']);
    const metrics = (pid: number) => ({
      self: { pid, mem_kbyte: 10, cpu_percent: 0.5, ext: { faults: 1, lastFault: `fault of ${pid}` } },
      system: { conn_srs: 2, srs_recv_bytes: 5, srs_send_bytes: 6 },
    });
    origin.summaries = metrics(1);
    edge.summaries = metrics(2);
    const { all, servers: each } = await servers.summarize();
    expect(all).toMatchObject({ memoryBytes: 20_480, cpuCores: 1, connections: 4, receivedBytes: 10, faults: 2 });
    expect(each).toMatchObject([
      { name: `127.0.0.1:${origin.port}`, summary: { pid: 1 } },
      { name: `127.0.0.1:${edge.port}`, summary: { pid: 2 } },
    ]);
  });

  it('reload all, and report which failed', async () => {
    await servers.reload();
    expect([origin, edge].map(({ requests }) => requests.includes('GET /api/v1/raw?rpc=reload'))).toEqual([true, true]);
    edge.reloadCode = 1061;
    const failed = servers.reload();
    await expect(failed).rejects.toThrow(`127.0.0.1:${edge.port}`);
    await expect(failed).rejects.not.toThrow(`127.0.0.1:${origin.port}`);
  });

  it('also reload a server that started since the last check', async () => {
    const [first, second] = await fixedAddresses(
      [origin, edge].map(({ port }) => ({ host: '127.0.0.1', port })),
    ).list();
    let known = [first!];
    const forget = () => {
      known = [first!, second!];
    };
    const young = createMediaServers({ list: async () => known.map((each) => ({ ...each, forget })) });
    await young.listStreams();
    await young.reload();
    young.close();
    expect([origin, edge].map(({ requests }) => requests.includes('GET /api/v1/raw?rpc=reload'))).toEqual([true, true]);
  });
});

describe('an unavailable media server', () => {
  it('is left out and reported, and returns automatically', async () => {
    playOverSrsEdge();
    origin.versions = { version: '5.0.216' };
    edge.isAway = true;
    expect(await servers.listStreams()).toMatchObject([{ id: 'vid-o', clients: 3 }]);
    expect((await servers.summarize()).servers.map(({ summary }) => summary !== undefined)).toEqual([true, false]);
    expect(await servers.identify()).toMatchObject({
      isUp: true,
      version: 'SRS 5.0.216',
      abilities: ['streams', 'kick', 'refusals'],
      servers: [{ isUp: true }, { api: `127.0.0.1:${edge.port}`, isUp: false, abilities: [] }],
    });
    await servers.disconnect('near');
    await expect(servers.disconnect('far1')).rejects.toMatchObject({
      detail: { key: 'media-server.away-with-client', values: { servers: `127.0.0.1:${edge.port}` } },
    });
    edge.isAway = false;
    await vi.waitFor(async () => expect(await servers.listStreams()).toMatchObject([{ clients: 4 }]), 5_000);
  });

  it('keeps its streams briefly after a missed response, and none after it stopped', async () => {
    origin.streams = [stream('vid-o', 'pub', { clients: 2, ...measured('rtmp', { flv: 1 }) })];
    edge.streams = [stream('vid-e', 'pub-e', { name: 'b', url: '/live/b' })];
    expect(await servers.listStreams()).toHaveLength(2);
    origin.isAway = true;
    const missed = await servers.listStreams();
    expect(missed.map(({ id }) => id).sort()).toEqual(['vid-e', 'vid-o']);
    expect(missed.find(({ id }) => id === 'vid-o')).toMatchObject({
      isPublished: true,
      publisherClientId: 'pub',
      clients: 2,
    });
    origin.isAway = false;
    origin.streams = [];
    await vi.waitFor(async () => expect(await servers.listStreams()).toMatchObject([{ id: 'vid-e' }]), 5_000);
    edge.streams = [stream('vid-e', 'pub-e')];
    origin.streams = [stream('vid-o', 'pub', { name: 'c', url: '/live/c' })];
    await vi.waitFor(async () => expect(await servers.listStreams()).toHaveLength(2), 5_000);
    await origin.close();
    await vi.waitFor(async () => expect(await servers.listStreams()).toMatchObject([{ id: 'vid-e' }]), 2_000);
  });

  it('keeps the stream of a copy while its origin does not respond', async () => {
    playOverSrsEdge();
    origin.isAway = true;
    expect(await servers.listStreams()).toMatchObject([{ id: 'vid-e', isPublished: true, publisherClientId: '' }]);
  });

  it('is reloaded with the others when its return was not noticed yet', async () => {
    edge.isAway = true;
    await servers.listStreams();
    edge.isAway = false;
    edge.requests.length = 0;
    await servers.reload();
    expect(edge.requests).toContain('GET /api/v1/raw?rpc=reload');
  });

  it('is reloaded when it is back, and does not fail the reload meanwhile', async () => {
    edge.isAway = true;
    await servers.listStreams();
    await servers.reload();
    edge.requests.length = 0;
    edge.isAway = false;
    await vi.waitFor(async () => {
      await servers.listStreams();
      expect(edge.requests).toContain('GET /api/v1/raw?rpc=reload');
    }, 5_000);
    edge.requests.length = 0;
    for (let round = 0; round < 3; round++) await servers.listStreams();
    expect(edge.requests).not.toContain('GET /api/v1/raw?rpc=reload');
  });

  it('fails the reload when it is back and refuses', async () => {
    edge.isAway = true;
    await servers.listStreams();
    edge.isAway = false;
    edge.reloadCode = 1061;
    await expect(servers.reload()).rejects.toThrow(`127.0.0.1:${edge.port}`);
  });

  it('is named with all others when no server could be reloaded', async () => {
    origin.isAway = true;
    edge.isAway = true;
    await expect(servers.listStreams()).rejects.toBeInstanceOf(AppError);
    await expect(servers.reload()).rejects.toMatchObject({
      detail: {
        key: 'media-server.away',
        values: { servers: `127.0.0.1:${origin.port}, 127.0.0.1:${edge.port}` },
      },
    });
  });

  it('gives the same error to every call when all are unavailable', async () => {
    origin.isAway = true;
    edge.isAway = true;
    for (const call of [() => servers.listStreams(), () => servers.listStreams(), () => servers.reload()]) {
      await expect(call()).rejects.toBeInstanceOf(AppError);
    }
    expect(await servers.identify()).toMatchObject({ isUp: false, version: '', abilities: [] });
    origin.isAway = false;
    expect(await servers.listStreams()).toEqual([]);
  });
});

describe('one media server', () => {
  it('receives only the calls for a single server', async () => {
    playOverSrsEdge();
    servers = open(origin);
    expect(await servers.listStreams()).toMatchObject([{ id: 'vid-o', clients: 3 }]);
    expect(await servers.listClients()).toHaveLength(3);
    expect((await servers.summarize()).servers).toHaveLength(1);
    await servers.readKeyframe('vid-o');
    await servers.listRefusals();
    await servers.disconnect('gone');
    expect(origin.requests).toEqual([
      'GET /api/v1/streams/?start=0&count=1000',
      'GET /api/v1/clients/?start=0&count=1000',
      'GET /api/v1/summaries',
      'GET /api/v1/keyframes/vid-o',
      'GET /api/v1/refusals/',
      'GET /api/v1/clients/gone',
    ]);
  });
});
