// Two listeners on one port, as in two processes. The kernel may deliver a datagram to either listener.
import { expect, it } from 'vitest';
import { SrtAcceptor } from './srt-acceptor.ts';
import { SrtCaller } from './srt-caller.ts';

const remote = { address: '192.0.2.7', port: 40_000 };
const cookieSecret = Buffer.alloc(32, 7);
const options = { receiverLatencyMs: 20, senderLatencyMs: 20 };

it('each of two listeners finds the owner of a datagram', () => {
  const payloads: string[] = [];
  const misdelivered: number[] = [];
  let caller: SrtCaller;
  let receiver = 0;
  const listeners = [0, 1].map(
    (index) =>
      new SrtAcceptor(
        { ...options, member: { index, count: 2, cookieSecret, clockOffsetUs: 0 } },
        {
          transmit: (datagram) => caller.handleDatagram(datagram, 0),
          onRequest: (request) =>
            request.accept({ onPayload: (payload) => payloads.push(`${index} ${payload}`), onClosed: () => {} }, 0),
          onMisdelivered: (datagram, from, member) => {
            misdelivered.push(member);
            listeners[member]!.handleDatagram(datagram, from, 0);
          },
          onStray: (_from, reason) => payloads.push(`stray: ${reason}`),
        },
        0,
      ),
  );
  const connected: { send(payload: Buffer): void }[] = [];
  const sent: Buffer[] = [];
  caller = new SrtCaller(
    options,
    'live/s',
    {
      transmit: (datagram) => sent.push(datagram),
      onPayload: () => {},
      onClosed: () => {},
      onConnected: (connection) => connected.push({ send: (payload) => connection.send(payload, 0) }),
      onFailed: (code) => payloads.push(`failed ${code}`),
    },
    0,
  );
  const deliver = () => {
    for (const datagram of sent.splice(0)) listeners[receiver]!.handleDatagram(datagram, remote, 0);
  };
  while (sent.length > 0) deliver();
  expect(connected).toHaveLength(1);
  for (const [to, text] of [
    [0, 'at home'],
    [1, 'astray'],
  ] as const) {
    receiver = to;
    connected[0]?.send(Buffer.from(text));
    for (let atMs = 1; atMs <= 20; atMs++) caller.advance(atMs * 1_000);
    deliver();
  }
  for (let atMs = 1; atMs < 500; atMs++) for (const listener of listeners) listener.advance(atMs * 1_000);
  expect(payloads).toEqual(['0 at home', '0 astray']);
  expect(misdelivered).toEqual([0]);
  expect(listeners.map(({ connectionCount }) => connectionCount)).toEqual([1, 0]);
});

it('each of two listeners accepts the conclusion of a caller whose induction reached the other one', () => {
  const hourUs = 3_600_000_000;
  const accepted: number[] = [];
  let caller: SrtCaller;
  // In each process, the clock starts at zero.
  const listeners = [0, hourUs].map(
    (startUs, index) =>
      new SrtAcceptor(
        { ...options, member: { index, count: 2, cookieSecret, clockOffsetUs: hourUs - startUs } },
        {
          transmit: (datagram) => caller.handleDatagram(datagram, 0),
          onRequest: (request) => {
            accepted.push(index);
            request.accept({ onPayload: () => {}, onClosed: () => {} }, startUs);
          },
        },
        startUs,
      ),
  );
  const sent: Buffer[] = [];
  const outcomes: string[] = [];
  caller = new SrtCaller(
    options,
    'live/s',
    {
      transmit: (datagram) => sent.push(datagram),
      onPayload: () => {},
      onClosed: () => {},
      onConnected: () => outcomes.push('connected'),
      onFailed: (code) => outcomes.push(`failed ${code}`),
    },
    0,
  );
  listeners[0]!.handleDatagram(sent.shift()!, remote, 0);
  listeners[1]!.handleDatagram(sent.shift()!, remote, hourUs);
  expect({ accepted, outcomes }).toEqual({ accepted: [1], outcomes: ['connected'] });
});
