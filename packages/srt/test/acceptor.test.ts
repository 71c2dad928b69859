// The listening side under attack: floods, forged addresses, wrong cookies, repeated handshakes.
import { describe, expect, it } from 'vitest';
import type { SrtConnection } from '../src/connection/srt-connection.ts';
import { rejectReason } from '../src/handshake/reject-reason.ts';
import { type ConnectionRequest, SrtAcceptor } from '../src/handshake/srt-acceptor.ts';
import { SrtCaller } from '../src/handshake/srt-caller.ts';
import type { RemoteAddress } from '../src/handshake/syn-cookie.ts';
import { maxConnections, maxPendingHandshakes, maxPendingPerAddress } from '../src/limits.ts';

const options = { receiverLatencyMs: 120, senderLatencyMs: 120 };
const remote = (port: number, address = '192.0.2.1'): RemoteAddress => ({ address, port });

function createAcceptor() {
  const sent: { datagram: Buffer; to: RemoteAddress }[] = [];
  const requests: ConnectionRequest[] = [];
  const strays: string[] = [];
  const faults: unknown[] = [];
  const acceptor = new SrtAcceptor(
    options,
    {
      transmit: (datagram, to) => sent.push({ datagram, to }),
      onRequest: (request) => requests.push(request),
      onStray: (_remote, reason) => strays.push(reason),
      onFault: (_remote, error) => faults.push(error),
    },
    0,
  );
  return { acceptor, sent, requests, strays, faults };
}

function call(world: ReturnType<typeof createAcceptor>, from: RemoteAddress, nowUs: number) {
  const datagrams: Buffer[] = [];
  const events = {
    connected: 0,
    failed: undefined as number | undefined,
    connection: undefined as SrtConnection | undefined,
  };
  const caller = new SrtCaller(
    options,
    'live/s',
    {
      transmit: (datagram) => datagrams.push(datagram),
      onPayload: () => {},
      onClosed: () => {},
      onConnected: (connection) => {
        events.connected++;
        events.connection = connection;
      },
      onFailed: (code) => {
        events.failed = code;
      },
    },
    nowUs,
  );
  const induction = datagrams[0]!;
  world.acceptor.handleDatagram(induction, from, nowUs);
  const response = world.sent.at(-1)!.datagram;
  caller.handleDatagram(response, nowUs);
  return { caller, induction, response, conclusion: datagrams[1]!, events, datagrams };
}

describe('an acceptor under attack', () => {
  it('responds to an induction with no more bytes than it received, and keeps no state', () => {
    const world = createAcceptor();
    const { induction, response } = call(world, remote(1), 0);
    expect(response.length).toBeLessThanOrEqual(induction.length);
    expect(world.requests).toEqual([]);
  });

  it('ignores a conclusion whose cookie was issued to another address', () => {
    const world = createAcceptor();
    const { conclusion } = call(world, remote(1), 0);
    world.acceptor.handleDatagram(conclusion, remote(1, '198.51.100.9'), 0);
    expect(world.requests).toEqual([]);
    expect(world.strays).toEqual(['handshake with a wrong cookie']);
  });

  it('ignores a conclusion replayed minutes later', () => {
    const world = createAcceptor();
    const { conclusion } = call(world, remote(1), 0);
    world.acceptor.handleDatagram(conclusion, remote(1), 121_000_000);
    expect(world.requests).toEqual([]);
  });

  it('queries the host once for a repeated conclusion and repeats its response', () => {
    const world = createAcceptor();
    const { conclusion, caller, events } = call(world, remote(1), 0);
    world.acceptor.handleDatagram(conclusion, remote(1), 1000);
    world.acceptor.handleDatagram(conclusion, remote(1), 2000);
    expect(world.requests).toHaveLength(1);
    world.requests[0]!.accept({ onPayload: () => {}, onClosed: () => {} }, 3000);
    const response = world.sent.at(-1)!.datagram;
    world.acceptor.handleDatagram(conclusion, remote(1), 4000);
    expect(world.sent.at(-1)!.datagram.equals(response)).toBe(true);
    caller.handleDatagram(response, 5000);
    expect(events.connected).toBe(1);
    expect(world.acceptor.connectionCount).toBe(1);
  });

  /** Runs a caller until the listener reports its request. Each caller has its own port or address. */
  const requestFrom = (world: ReturnType<typeof createAcceptor>, from: RemoteAddress, nowUs = 0) => {
    const { conclusion } = call(world, from, nowUs);
    world.acceptor.handleDatagram(conclusion, from, nowUs);
    return world.requests.at(-1)!;
  };
  const accept = (request: ConnectionRequest) => request.accept({ onPayload: () => {}, onClosed: () => {} }, 0);

  it('bounds the waiting handshakes of one address: its oldest is dropped, those of other addresses remain', () => {
    const world = createAcceptor();
    const stranger = requestFrom(world, remote(1, '198.51.100.9'));
    const requested = Array.from({ length: maxPendingPerAddress + 2 }, (_, index) =>
      requestFrom(world, remote(index + 1)),
    );
    expect(requested.slice(0, 2).map(accept)).toEqual([undefined, undefined]);
    expect(requested.slice(2).every((request) => accept(request) !== undefined)).toBe(true);
    expect(accept(stranger)).toBeDefined();
  });

  it('bounds the waiting handshakes of all addresses: the newest is accepted', () => {
    const world = createAcceptor();
    const first = requestFrom(world, remote(1));
    for (let host = 0; host < maxPendingHandshakes + 100; host++)
      requestFrom(world, remote(5000, `10.1.${host >> 8}.${host & 255}`));
    expect(accept(first)).toBeUndefined();
    expect(accept(requestFrom(world, remote(2)))).toBeDefined();
  });

  it('accepts a valid caller from an address whose other callers were just refused', () => {
    const world = createAcceptor();
    for (let port = 1; port <= maxPendingPerAddress * 2; port++)
      requestFrom(world, remote(port)).reject(rejectReason.forbidden, 0);
    expect(accept(requestFrom(world, remote(9_999)))).toBeDefined();
  });

  it('rejects a caller with the right code when every connection is in use', () => {
    const world = createAcceptor();
    for (let index = 0; index < maxConnections; index++)
      accept(requestFrom(world, remote(5000, `10.1.${index >> 8}.${index & 255}`)));
    const { caller, conclusion, events } = call(world, remote(1), 0);
    world.acceptor.handleDatagram(conclusion, remote(1), 0);
    caller.handleDatagram(world.sent.at(-1)!.datagram, 0);
    expect(events.failed).toBe(rejectReason.overload);
  });

  it('never sends more bytes than it received, so it cannot amplify traffic to a forged address', () => {
    const world = createAcceptor();
    const { induction, conclusion } = call(world, remote(1), 0);
    const victim = remote(7, '198.51.100.9');
    const before = world.sent.length;
    for (const datagram of [induction, conclusion, conclusion, induction.subarray(0, 40), Buffer.alloc(1400, 0x80)]) {
      const count = world.sent.length;
      world.acceptor.handleDatagram(datagram, victim, 0);
      const answered = world.sent.slice(count).reduce((sum, sent) => sum + sent.datagram.length, 0);
      expect(answered).toBeLessThanOrEqual(datagram.length);
    }
    expect(world.sent.length - before).toBe(1);
  });

  it('treats all replays of a conclusion after its connection ended as one new caller', () => {
    const world = createAcceptor();
    const { conclusion } = call(world, remote(1), 0);
    world.acceptor.handleDatagram(conclusion, remote(1), 0);
    world.requests[0]!.accept({ onPayload: () => {}, onClosed: () => {} }, 0)!.close(1000);
    for (let replay = 0; replay < 100; replay++) world.acceptor.handleDatagram(conclusion, remote(1), 2000 + replay);
    expect(world.requests).toHaveLength(2);
    expect(world.acceptor.connectionCount).toBe(0);
  });

  it('drops handshakes that the host neither accepts nor rejects', () => {
    const world = createAcceptor();
    const { conclusion } = call(world, remote(1), 0);
    world.acceptor.handleDatagram(conclusion, remote(1), 0);
    world.acceptor.advance(11_000_000);
    expect(world.requests[0]!.accept({ onPayload: () => {}, onClosed: () => {} }, 11_000_000)).toBeUndefined();
  });

  it('ignores packets for a connection that come from another address', () => {
    const world = createAcceptor();
    const { conclusion, caller } = call(world, remote(1), 0);
    world.acceptor.handleDatagram(conclusion, remote(1), 0);
    let closed = '';
    const connection = world.requests[0]!.accept({ onPayload: () => {}, onClosed: (reason) => (closed = reason) }, 0);
    caller.handleDatagram(world.sent.at(-1)!.datagram, 0);
    const shutdown = Buffer.alloc(20);
    shutdown.writeUInt32BE(0x8005_0000, 0);
    shutdown.writeUInt32BE(connection!.socketId, 12);
    world.acceptor.handleDatagram(shutdown, remote(2), 0);
    expect(closed).toBe('');
    world.acceptor.handleDatagram(shutdown, remote(1), 0);
    expect(closed).toBe('peer-closed');
  });
});

describe('an acceptor whose host throws', () => {
  it('closes only the connection whose handler threw', () => {
    const world = createAcceptor();
    const got: string[] = [];
    const ended: string[] = [];
    const bug = new Error('planted');
    const send = (name: string, port: number, onPayload: () => void) => {
      const { caller, conclusion, datagrams, events } = call(world, remote(port), 0);
      world.acceptor.handleDatagram(conclusion, remote(port), 0);
      world.requests.at(-1)!.accept({ onPayload, onClosed: (reason) => ended.push(`${name} ${reason}`) }, 0);
      caller.handleDatagram(world.sent.at(-1)!.datagram, 0);
      events.connection!.send(Buffer.alloc(188), 1_000);
      events.connection!.advance(1_000);
      world.acceptor.handleDatagram(datagrams.at(-1)!, remote(port), 1_000);
    };
    send('bad', 1, () => {
      throw bug;
    });
    send('good', 2, () => got.push('good'));
    world.acceptor.advance(500_000);
    expect(got).toEqual(['good']);
    expect(world.faults).toEqual([bug]);
    expect(ended).toEqual(['bad closed']);
    expect(world.acceptor.connectionCount).toBe(1);
  });
});
