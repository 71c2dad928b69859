import { expect, it, onTestFinished } from 'vitest';
import { RtcGuest } from '../src/rtc-guest.ts';
import { RtcPort } from '../src/rtc-port.ts';
import { loopback, Relay, rtp, senderReport, until } from './rtc-rig.ts';

function open(digestOf: (port: RtcPort) => Buffer = ({ fingerprint }) => fingerprint) {
  const faults: unknown[] = [];
  const observed = { connected: 0, closed: 0 };
  const port = new RtcPort({ host: loopback, port: 0 }, (error) => faults.push(error));
  const guest = new RtcGuest(loopback);
  onTestFinished(() => {
    guest.close();
    port.close();
    expect(faults).toEqual([]);
  });
  const session = port.openSession({
    remoteUfrag: guest.ufrag,
    remotePassword: guest.password,
    isDtlsServer: true,
    fingerprints: [{ hash: 'sha-256', digest: guest.fingerprint }],
    events: {
      onConnected: () => void observed.connected++,
      onClosed: () => void observed.closed++,
      onDatagram: () => undefined,
    },
  })!;
  const { ufrag, password } = session;
  const host = { ip: loopback, port: port.port, ufrag, password, digest: digestOf(port) };
  return { port, guest, session, host, observed };
}

it('connects, and receives what is sent to it', async () => {
  const { guest, session, host, observed } = open();
  await guest.connect(host);
  await until(() => observed.connected === 1);
  expect(session.sendAll([rtp(1, {}), rtp(2, {}), senderReport(1)])).toBe(3);
  await until(() => guest.received === 3);
});

it('is reported to the host when it disconnects', async () => {
  const { guest, host, observed } = open();
  await guest.connect(host);
  guest.close();
  guest.close();
  await until(() => observed.closed === 1);
});

it('refuses another certificate', async () => {
  const { port, guest, host, observed } = open(() => Buffer.alloc(32, 1));
  const relay = await Relay.open(port.port);
  onTestFinished(() => relay.close());
  let hasConnected = false;
  guest.connect({ ...host, port: relay.near.port }).then(
    () => {
      hasConnected = true;
    },
    () => undefined,
  );
  // The flight that contains the certificate, and its retransmission.
  await relay.far.next('dtls', 1);
  expect({ hasConnected, observed }).toEqual({ hasConnected: false, observed: { connected: 0, closed: 0 } });
});

it('refuses an invalid address', async () => {
  const { guest, host } = open();
  await expect(guest.connect({ ...host, ip: 'localhost' })).rejects.toThrow(TypeError);
});
