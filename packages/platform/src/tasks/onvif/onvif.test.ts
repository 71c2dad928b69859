// Cameras over ONVIF: correct cameras, cameras with wrong clocks, and cameras with invalid responses. A test responder plays all cameras.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Camera } from '@srs-stack/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type OnvifResponder,
  type OnvifResponderOptions,
  sendFault,
  sendSoap,
  startOnvifResponder,
} from '../../testing/onvif-responder.ts';
import { createOnvif, type OnvifRequest } from './onvif.ts';

async function start(options: OnvifResponderOptions = {}): Promise<OnvifResponder> {
  const responder = await startOnvifResponder(options);
  onTestFinished(() => responder.close());
  return responder;
}

async function boundSocket(address: string): Promise<Socket> {
  const socket = createSocket('udp4').bind(0, address);
  onTestFinished(() => void socket.close());
  await once(socket, 'listening');
  return socket;
}

const login = { user: 'admin', password: 'p@ss', acceptsAnyCertificate: false };
const read = (address: string, change: Partial<OnvifRequest> = {}) =>
  createOnvif().read({ address, ...login, ...change });
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: Error) => `${error.name} ${error.message}`,
  );
const movable = (address: string): Camera => ({
  ...{ platform: 'camera-1', server: '', secret: 'door', enabled: true, custom: true, label: '', files: [] },
  ...{ extraAudio: '', acceptsAnyCertificate: false, transport: 'tcp', onDemand: false, subAddress: '' },
  ptz: { address: address.replace('http://', 'http://admin:p%40ss@'), profile: 'main' },
});

describe('a camera', () => {
  it('has profiles, addresses with user and password on its own host, and an image', async () => {
    const { url } = await start();
    const device = await read(url);
    expect(device).toMatchObject({
      model: 'Acme & Co Dome 7',
      address: url.replace('http://', 'http://admin:p%40ss@'),
    });
    expect(device.profiles).toEqual([
      {
        ...{ token: 'main', name: 'main stream', codec: 'H264', width: 1920, height: 1080, fps: 25, hasPtz: true },
        address: 'rtsp://admin:p%40ss@127.0.0.1:554/main?a=1&b=2',
      },
      expect.objectContaining({ token: 'sub', width: 640, address: 'rtsp://admin:p%40ss@127.0.0.1:554/sub?a=1&b=2' }),
    ]);
    expect(Buffer.from(device.snapshot, 'base64').subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  });

  it.each([
    ['a year ahead', 365 * 86_400_000],
    ['in 1970', -Date.now()],
  ])('whose clock is %s accepts the token', async (_name, clockAheadMs) => {
    const { url } = await start({ clockAheadMs });
    expect((await read(url)).profiles).toHaveLength(2);
  });

  it('whose clock shows the last possible date accepts the token', async () => {
    const date = '<Date><Year>275760</Year><Month>9</Month><Day>13</Day></Date>';
    const time = '<Time><Hour>0</Hour><Minute>0</Minute><Second>0</Second></Time>';
    const clock = `<SystemDateAndTime><UTCDateTime>${time}${date}</UTCDateTime></SystemDateAndTime>`;
    const xml = `<GetSystemDateAndTimeResponse>${clock}</GetSystemDateAndTimeResponse>`;
    const { url } = await start({
      responses: { GetSystemDateAndTime: (response) => void setTimeout(() => sendSoap(response, 200, xml), 20) },
    });
    expect((await read(url)).profiles).toHaveLength(2);
  });

  it('that requires HTTP Digest gets it', async () => {
    const { url } = await start({ demands: 'http-digest' });
    const device = await read(url);
    expect([device.profiles.length, device.snapshot.length > 0]).toEqual([2, true]);
    expect(await failure(read(url, { password: 'wrong' }))).toMatch(/refuses the user name/);
  });

  it('that names another host still receives requests at its own', async () => {
    const { url, requests } = await start({ namesHost: '169.254.169.254' });
    expect((await read(url)).profiles).toHaveLength(2);
    expect(requests).toContain('snapshot');
  });

  it('refuses a wrong password after one request with it', async () => {
    const { url, requests } = await start();
    expect(await failure(read(url, { password: 'wrong' }))).toMatch(/refuses the user name/);
    expect(requests).toEqual(['GetSystemDateAndTime', 'GetCapabilities']);
  });

  it('without pan, tilt and zoom reports that', async () => {
    const { url } = await start({ hasPtz: false });
    expect((await read(url)).profiles.map(({ hasPtz }) => hasPtz)).toEqual([false, false]);
    expect(await failure(createOnvif().move(movable(url), { pan: 1, tilt: 0, zoom: 0 }))).toMatch(
      /refuses the request/,
    );
    expect(await failure(createOnvif().presets({ ...movable(url), ptz: null }))).toMatch(/not set up for this camera/);
  });

  it('is moved for a bounded time, stopped, and sent to a preset', async () => {
    const { url, requests } = await start();
    const onvif = createOnvif();
    await onvif.move(movable(url), { pan: -0.5, tilt: 0, zoom: 0 });
    await onvif.move(movable(url), { pan: 0, tilt: 0, zoom: 1 });
    await onvif.move(movable(url), { pan: 0, tilt: 0, zoom: 0 });
    expect(await onvif.presets(movable(url))).toEqual([
      { token: '1', name: 'Gate' },
      { token: '2', name: '2' },
    ]);
    await onvif.goToPreset(movable(url), '1');
    const own = requests.filter((name) => !/GetSystemDateAndTime|GetCapabilities/.test(name));
    expect(own).toEqual([
      expect.stringMatching(
        /^ContinuousMove <Velocity><PanTilt x="-0.5" y="0" [^>]*\/><\/Velocity><Timeout>PT5S<\/Timeout>$/,
      ),
      expect.stringMatching(/^ContinuousMove <Velocity><Zoom x="1" [^>]*\/><\/Velocity><Timeout>PT5S<\/Timeout>$/),
      ...['Stop', 'GetPresets', 'GotoPreset'],
    ]);
  });
});

const flood = (response: ServerResponse): void => {
  response.writeHead(200);
  const part = Buffer.alloc(64 * 1024, '<a>');
  const write = (): void => {
    while (!response.destroyed && response.write(part));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
};
/** Attributes cost more parsing time than their size suggests. */
const attributes = `<GetCapabilitiesResponse ${Array.from({ length: 30_000 }, (_, number) => `a${number}=""`).join(' ')}/>`;
const entities = '<!DOCTYPE s [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><s>&b;</s>';
const deep = `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`;

describe('a response that', () => {
  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['never ends', flood, /too large/],
    ['is not XML', (response) => void response.end('<html><br></html>'), /not ONVIF/],
    ['has a document type', (response) => void response.end(entities), /not ONVIF/],
    ['is nested endlessly', (response) => sendSoap(response, 200, deep), /not ONVIF/],
    ['has endless attributes', (response) => sendSoap(response, 200, attributes), /not ONVIF/],
    ['has 2 MB', (response) => sendSoap(response, 200, 'x'.repeat(2 * 1024 * 1024)), /too large/],
    [
      'is a fault',
      (response) => sendFault(response, 'ter:InvalidArgVal', 'no such category'),
      /refuses the request: no such category/,
    ],
    ['is 401 without a challenge', (response) => void response.writeHead(401).end(), /refuses the user name/],
    [
      'redirects',
      (response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      /not ONVIF/,
    ],
    ['ends early', (response) => response.destroy(), /cannot be reached/],
    ['never arrives', () => undefined, /did not respond within 5 s/],
  ])('%s is refused with its reason', async (_name, answer, expected) => {
    const { url } = await start({ responses: { GetCapabilities: answer } });
    expect(await failure(read(url))).toMatch(expected);
  });

  it('contains no profiles is accepted', async () => {
    const { url } = await start({
      responses: { GetProfiles: (response) => sendSoap(response, 200, '<GetProfilesResponse/>') },
    });
    expect((await read(url)).profiles).toEqual([]);
  });
});

it('numbers and texts of a camera are bounded', async () => {
  const long = 'x'.repeat(5_000);
  const profile = (token: string) =>
    `<Profiles token="${token}"><Name>${long}</Name><VideoEncoderConfiguration><Encoding>${long}</Encoding><Resolution><Width>1e999</Width><Height>-5</Height></Resolution></VideoEncoderConfiguration></Profiles>`;
  const xml = `<GetProfilesResponse>${profile('a')}${profile(long)}${profile('b')}</GetProfilesResponse>`;
  const { url } = await start({
    responses: { GetProfiles: (response) => sendSoap(response, 200, xml) },
    streams: { b: `rtsp://h/${long}` },
  });
  const { profiles } = await read(url);
  expect(profiles).toMatchObject([{ token: 'a', width: 65_535, height: 0 }]);
  expect([profiles[0]?.name.length, profiles[0]?.codec.length]).toEqual([100, 100]);
});

it('a camera that responds late to each request times out as a whole', async () => {
  const slowly = (xml: string) => (response: ServerResponse) =>
    void setTimeout(() => sendSoap(response, 200, xml), 200);
  const profiles = Array.from({ length: 16 }, (_, number) => `<Profiles token="${number}"/>`).join('');
  const { url, requests } = await start({
    responses: {
      GetProfiles: slowly(`<GetProfilesResponse>${profiles}</GetProfilesResponse>`),
      GetStreamUri: slowly('<GetStreamUriResponse><MediaUri><Uri>rtsp://h/a</Uri></MediaUri></GetStreamUriResponse>'),
    },
  });
  const onvif = createOnvif({}, { readWithinMs: 1_000, orderWithinMs: 1_000 });
  expect(await failure(onvif.read({ address: url, ...login }))).toMatch(/did not respond within 1 s/);
  expect(requests.length).toBeLessThan(10);
});

it('a camera that does not respond does not block the others', async () => {
  const dead = await start({ responses: { GetSystemDateAndTime: () => undefined, GetCapabilities: () => undefined } });
  const good = await start();
  const onvif = createOnvif({}, { readWithinMs: 1_000, orderWithinMs: 1_000 });
  const orders = Array.from({ length: 30 }, () => failure(onvif.move(movable(dead.url), { pan: 1, tilt: 0, zoom: 0 })));
  await onvif.move(movable(good.url), { pan: 1, tilt: 0, zoom: 0 });
  // The unresponsive camera has still not responded.
  expect(dead.requests).not.toContain('GetCapabilities');
  expect(good.requests.at(-1)).toMatch(/^ContinuousMove/);
  const refusals = await Promise.all(orders);
  expect(refusals.filter((refusal) => /did not respond within 1 s/.test(refusal))).not.toHaveLength(0);
  expect(refusals.every((refusal) => /did not respond|has not responded to earlier/.test(refusal))).toBe(true);
});

it.each(['http://169.254.169.254/onvif', 'ftp://127.0.0.1/', 'http://[fe80::1]/onvif', 'nonsense', 'http://a b/'])(
  'the address %s is not contacted',
  async (address) => expect(await failure(read(address))).toMatch(/not allowed/),
);

it('a search lists cameras by the source address of their response', async () => {
  const honest = await start();
  const discovery = { target: { address: '127.0.0.1', port: honest.discoveryPort } };
  const onvif = createOnvif(discovery);
  const [first, second] = await Promise.all([onvif.discover(), onvif.discover()]);
  expect(first).toEqual([{ address: honest.url, host: '127.0.0.1', name: 'Front door', model: 'Dome7' }]);
  expect(second).toBe(first);
  const liar = await start({ namesHost: '192.0.2.1' });
  expect(await createOnvif({ target: { address: '127.0.0.1', port: liar.discoveryPort } }).discover()).toEqual([]);
});

it('a search finds a camera despite a host that responds endlessly', async () => {
  const [flooder, honest] = [await boundSocket('127.0.0.2'), await boundSocket('127.0.0.3')];
  const target = await boundSocket('127.0.0.1');
  const match = (host: string, number: number) =>
    Buffer.from(
      `<Envelope><Body><ProbeMatches><ProbeMatch><XAddrs>http://${host}/${number}</XAddrs></ProbeMatch></ProbeMatches></Body></Envelope>`,
    );
  target.once('message', (_probe, { port, address }) => {
    const send = (socket: Socket, data: Buffer) =>
      new Promise<void>((resolve) => socket.send(data, port, address, () => resolve()));
    const answer = async () => {
      for (let number = 0; number < 3_000; number++) {
        await send(flooder, match('127.0.0.2', number));
        // Lets the receiver run: without pauses, the kernel drops datagrams.
        if (number % 20 === 0) await setImmediate();
      }
      await send(honest, match('127.0.0.3', 0));
    };
    answer().catch((error: unknown) => target.emit('error', error));
  });
  const found = await createOnvif({ target: { address: '127.0.0.1', port: target.address().port } }).discover();
  expect(found.map(({ host }) => host)).toContain('127.0.0.3');
  expect(found.length).toBeLessThan(40);
});

it('a search over multicast finds a camera', async () => {
  const { url } = await start({ isDiscoverable: true });
  expect(await createOnvif().discover()).toContainEqual(expect.objectContaining({ address: url }));
});
