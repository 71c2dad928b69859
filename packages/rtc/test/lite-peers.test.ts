// Peers that are ICE-lite, like the port. Neither side sends checks, the DTLS client starts, and a cookie verifies the client's address.
import { expect, it, onTestFinished } from 'vitest';
import { RtcPort } from '../src/rtc-port.ts';
import { checkOf, kindOf, loopback, openBare, Relay, rtp, UdpPeer, until } from './rtc-rig.ts';

const helloVerifyRequest = 3;
const handshakeTypeAt = 13;

function openPort(): RtcPort {
  const port = new RtcPort({ host: loopback, port: 0 }, (error) => expect(error).toBeUndefined());
  onTestFinished(() => port.close());
  return port;
}

function openLite(port: RtcPort, peer: RtcPort, isDtlsServer: boolean, at: readonly number[]) {
  const observed = { connected: 0, packets: [] as Buffer[] };
  const session = port.openSession({
    ...{ remoteUfrag: 'lite', remotePassword: 'p'.repeat(22), isDtlsServer },
    fingerprints: [{ hash: 'sha-256', digest: peer.fingerprint }],
    expectedAt: at.map((number) => ({ ip: loopback, port: number })),
    events: {
      onConnected: () => void observed.connected++,
      onClosed: () => undefined,
      onDatagram: (packet) => void observed.packets.push(packet),
    },
  })!;
  return { session, observed };
}

/** A client whose datagrams arrive from `relay.far`. `hellos` contains its first message, without and with the cookie. */
async function openClient(server: RtcPort, at: readonly number[] = []) {
  const client = openPort();
  const relay = await Relay.open(server.port);
  onTestFinished(() => relay.close());
  const hellos: Buffer[] = [];
  relay.judge = (datagram, isToPort) => {
    if (isToPort && kindOf(datagram) === 'dtls') hellos.push(datagram);
    return true;
  };
  const expected = openLite(server, client, true, [relay.far.port, ...at]);
  return { relay, hellos, expected, start: () => openLite(client, server, false, [relay.near.port]) };
}

it('connect when the DTLS client starts, and media flows in both directions', async () => {
  const server = openPort();
  const { expected, start } = await openClient(server);
  const begun = start();
  await until(() => expected.observed.connected === 1 && begun.observed.connected === 1, 'the connection');
  expected.session.send(rtp(1, {}));
  begun.session.send(rtp(2, {}));
  await until(() => expected.observed.packets.length === 1 && begun.observed.packets.length === 1, 'media');
});

it('are ignored at an address that the offer does not contain', async () => {
  const server = openPort();
  const client = openPort();
  const { observed } = openLite(server, client, true, [1]);
  openLite(client, server, false, [server.port]);
  await until(() => server.counters.ignored > 0, 'the first message');
  expect({ ...observed, sent: client.counters.received }).toEqual({ connected: 0, packets: [], sent: 0 });
});

it('get only a cookie until they return it from their address', async () => {
  const server = openPort();
  const other = await UdpPeer.open();
  onTestFinished(() => other.close());
  const { relay, hellos, expected, start } = await openClient(server, [other.port]);
  const pass = relay.judge;
  // The relay drops the client's message with the cookie.
  relay.judge = (datagram, isToPort) => pass(datagram, isToPort) && (!isToPort || hellos.length < 2);
  start();
  await until(() => hellos.length >= 2, 'the cookie');
  for (const hello of hellos.slice(0, 2)) await other.send(hello, server.port);
  for (const skipped of [0, 1]) expect((await other.next('dtls', skipped))[handshakeTypeAt]).toBe(helloVerifyRequest);
  relay.judge = () => true;
  await until(() => expected.observed.connected === 1, 'the connection');
});

it('do not block other peers at an address that they announce but have not verified', async () => {
  const server = openPort();
  const { relay, start } = await openClient(server);
  const pass = relay.judge;
  relay.judge = (datagram, isToPort) => pass(datagram, isToPort) && !isToPort;
  start();
  const { session } = openBare(server);
  await relay.far.send(checkOf(session), server.port);
  await relay.far.next('stun');
});
