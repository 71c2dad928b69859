import { AppError } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MediaServerDouble, srsStream, startMediaServerDouble } from '../testing/media-server-double.ts';
import { pageSize, SrsHttpApi } from './srs-http-api.ts';

let double: MediaServerDouble;
let forgotten: number;
const open = (port: number | undefined) =>
  new SrsHttpApi({
    name: 'double',
    current: async () => (port === undefined ? undefined : { host: '127.0.0.1', port }),
    forget() {
      forgotten += 1;
    },
  });
beforeEach(async () => {
  forgotten = 0;
  double = await startMediaServerDouble();
});
afterEach(() => double.close());

describe('client of the media server', () => {
  it('reads all pages', async () => {
    double.clients = Array.from({ length: pageSize * 2 + 5 }, (_, index) => ({
      id: `c${index}`,
      stream: 'vid-a',
      ip: '::1',
      type: 'flv-play',
      publish: false,
    }));
    const api = open(double.port);
    const clients = await api.listClients();
    expect(clients).toHaveLength(pageSize * 2 + 5);
    expect(clients[7]).toMatchObject({ id: 'c7', streamId: 'vid-a', ip: '::1', type: 'flv-play', isPublisher: false });
    expect(double.requests).toHaveLength(3);
    api.close();
  });

  it('reads missing and invalid numbers as zero, and the virtual host from the url', async () => {
    double.streams = [
      {
        id: 'v',
        name: 's',
        app: 'live',
        url: 'example.com/live/s',
        publish: { active: true, cid: 'x' },
        video: 'odd',
        kbps: null,
        ext: { fps: 'x' },
      },
      srsStream('t', 'y', { publish: { active: false } }),
    ];
    const api = open(double.port);
    const [odd, idle] = await api.listStreams();
    expect(odd).toMatchObject({
      vhost: 'example.com',
      isPublished: true,
      clients: 0,
      receivedKbps: 0,
      video: null,
      audio: null,
      details: undefined,
    });
    expect(idle).toMatchObject({ vhost: '__defaultVhost__', isPublished: false, publisherClientId: '' });
    api.close();
  });

  it('reports an invalid response, and looks up the address again', async () => {
    double.streams = [{ nonsense: true }];
    double.reloadCode = 1061;
    const api = open(double.port);
    await expect(api.listStreams()).rejects.toThrow(/unexpected response to \/api\/v1\/streams\//);
    await expect(api.reload()).rejects.toThrow(/code 1061/);
    expect(await api.listRefusals()).toBeUndefined();
    await double.close();
    const away = api.listStreams();
    await expect(away).rejects.toBeInstanceOf(AppError);
    await expect(away).rejects.toMatchObject({ errorName: 'mediaServerUnreachable' });
    expect(forgotten).toBe(1);
    await expect(open(undefined).reload()).rejects.toThrow(/port of the media server is not known/);
    api.close();
  });

  it('waits until the settings are in effect, and reports invalid ones', async () => {
    const reload = (rid: string, state: number, err = 0) => ({
      rid,
      state,
      err,
      msg: err ? 'illegal directive' : 'Success',
    });
    const api = open(double.port);
    double.reloads = [reload('a', 90), reload('a', 90), reload('b', 0), reload('b', 90)];
    await api.reload();
    expect(double.reloads).toEqual([reload('b', 90)]);
    double.reloads = [reload('b', 90), reload('c', 10, 1023)];
    await expect(api.reload()).rejects.toThrow(/illegal directive/);
    api.close();
  });

  it('keeps a client id inside its path segment', async () => {
    const api = open(double.port);
    await api.disconnect('../raw?rpc=reload');
    expect(double.requests).toEqual(['GET /api/v1/clients/..%2Fraw%3Frpc%3Dreload']);
    api.close();
  });
});
