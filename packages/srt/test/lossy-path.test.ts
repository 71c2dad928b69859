// A caller publishes to an acceptor over a lossy path in virtual time.
import { describe, expect, it } from 'vitest';
import type { SrtConnection } from '../src/connection/srt-connection.ts';
import type { SrtOptions } from '../src/handshake/handshake-options.ts';
import { rejectReason } from '../src/handshake/reject-reason.ts';
import { type ConnectionRequest, SrtAcceptor } from '../src/handshake/srt-acceptor.ts';
import { SrtCaller } from '../src/handshake/srt-caller.ts';
import { callerAddress, type PathOptions, VirtualNetwork } from '../src/testing/virtual-network.ts';

const quietPath: PathOptions = { seed: 1, loss: 0, delayUs: 30_000 };

interface Side {
  connection?: SrtConnection;
  received: Buffer[];
  receivedUs: number[];
  lost: number;
  closed?: string;
}

function createSide(): Side {
  return { received: [], receivedUs: [], lost: 0 };
}

function createWorld(
  path: PathOptions,
  callerOptions: SrtOptions,
  listenerOptions: SrtOptions = callerOptions,
  streamId = '#!::r=live/s,m=publish',
) {
  const network = new VirtualNetwork(path);
  const callerSide = createSide();
  const listenerSide = createSide();
  const requests: ConnectionRequest[] = [];
  const refusals: number[] = [];
  let failure: number | undefined;
  const eventsOf = (side: Side) => ({
    onPayload: (payload: Buffer) => {
      side.received.push(payload);
      side.receivedUs.push(network.nowUs);
    },
    onLoss: (packets: number) => {
      side.lost += packets;
    },
    onClosed: (reason: string) => {
      side.closed = reason;
    },
  });
  const acceptor = new SrtAcceptor(
    listenerOptions,
    {
      transmit: (datagram) => network.send(datagram, (copy, nowUs) => caller.handleDatagram(copy, nowUs)),
      onRequest: (request) => {
        requests.push(request);
        const connection = request.accept(eventsOf(listenerSide), network.nowUs);
        if (connection) listenerSide.connection = connection;
      },
      onRefused: (_remote, reason) => refusals.push(reason),
    },
    network.nowUs,
  );
  const caller: SrtCaller = new SrtCaller(
    callerOptions,
    streamId,
    {
      ...eventsOf(callerSide),
      transmit: (datagram) =>
        network.send(datagram, (copy, nowUs) => acceptor.handleDatagram(copy, callerAddress, nowUs)),
      onConnected: (connection) => {
        callerSide.connection = connection;
      },
      onFailed: (code) => {
        failure = code;
      },
    },
    network.nowUs,
  );
  const run = (durationUs: number, each: (nowUs: number) => void = () => {}) =>
    network.run(durationUs, (nowUs) => {
      each(nowUs);
      caller.advance(nowUs);
      acceptor.advance(nowUs);
    });
  return { network, acceptor, caller, callerSide, listenerSide, requests, refusals, run, failure: () => failure };
}

function numbered(index: number): Buffer {
  const payload = Buffer.alloc(1316, index & 0xff);
  payload.writeUInt32BE(index, 0);
  return payload;
}

function publish(world: ReturnType<typeof createWorld>, count: number, intervalUs: number, drainUs: number): void {
  let sent = 0;
  let nextUs = world.network.nowUs;
  world.run(count * intervalUs, (nowUs) => {
    while (sent < count && nowUs >= nextUs) {
      world.callerSide.connection?.send(numbered(sent++), nowUs);
      nextUs += intervalUs;
    }
  });
  world.run(drainUs);
}

const options: SrtOptions = { receiverLatencyMs: 400, senderLatencyMs: 400 };

describe('a connection without loss', () => {
  it('delivers every payload in order, one latency after it was sent', () => {
    const world = createWorld(quietPath, options);
    world.run(500_000);
    const startUs = world.network.nowUs;
    publish(world, 200, 2_000, 1_000_000);
    expect(world.requests[0]?.streamId).toBe('#!::r=live/s,m=publish');
    expect(world.listenerSide.received.map((payload) => payload.readUInt32BE(0))).toEqual([...Array(200).keys()]);
    const firstDelayMs = (world.listenerSide.receivedUs[0]! - startUs) / 1000;
    expect(firstDelayMs).toBeGreaterThan(425);
    expect(firstDelayMs).toBeLessThan(440);
  });

  it('uses the larger latency of both sides', () => {
    const world = createWorld(
      quietPath,
      { receiverLatencyMs: 20, senderLatencyMs: 20 },
      { receiverLatencyMs: 120, senderLatencyMs: 20 },
    );
    world.run(500_000);
    expect(world.listenerSide.connection?.stats(world.network.nowUs).latencyMs).toBe(120);
  });

  it('carries payloads in the other direction too', () => {
    const world = createWorld(quietPath, options);
    world.run(500_000);
    let sent = 0;
    world.run(200_000, (nowUs) => world.listenerSide.connection?.send(numbered(sent++), nowUs));
    world.run(1_000_000);
    expect(world.callerSide.received.map((payload) => payload.readUInt32BE(0))).toEqual([...Array(sent).keys()]);
  });

  it('notifies the peer when it closes', () => {
    const world = createWorld(quietPath, options);
    world.run(500_000);
    world.callerSide.connection?.close(world.network.nowUs);
    world.run(100_000);
    expect(world.listenerSide.closed).toBe('peer-closed');
    expect(world.acceptor.connectionCount).toBe(0);
  });

  it('delivers payloads that arrived before the peer disconnected, although they are not due yet', () => {
    const world = createWorld(quietPath, options);
    world.run(500_000);
    publish(world, 20, 2_000, 50_000);
    expect(world.listenerSide.received).toEqual([]);
    world.callerSide.connection?.close(world.network.nowUs);
    world.run(50_000);
    expect(world.listenerSide.received).toHaveLength(20);
  });

  it('closes a connection whose peer is silent', () => {
    const world = createWorld(quietPath, options);
    world.run(500_000);
    world.network.run(11_000_000, (nowUs) => world.acceptor.advance(nowUs));
    expect(world.listenerSide.closed).toBe('peer-timeout');
  });

  it('measures the round trip', () => {
    const world = createWorld(quietPath, options);
    world.run(500_000);
    publish(world, 500, 2_000, 1_000_000);
    const stats = world.listenerSide.connection!.stats(world.network.nowUs);
    expect(stats.rttMs).toBeGreaterThan(58);
    expect(stats.rttMs).toBeLessThan(75);
  });
});

describe('a connection with loss', () => {
  it.each([1, 2, 3])('repairs 10 %% loss at 60 ms round trip within 400 ms (seed %i)', (seed) => {
    const world = createWorld({ seed, loss: 0.1, delayUs: 30_000, jitterUs: 2_000, duplicate: 0.01 }, options);
    world.run(3_000_000);
    publish(world, 4000, 2_600, 2_000_000);
    expect(world.listenerSide.lost).toBe(0);
    expect(world.listenerSide.received.map((payload) => payload.readUInt32BE(0))).toEqual([...Array(4000).keys()]);
    const stats = world.listenerSide.connection!.stats(world.network.nowUs);
    expect(stats.recoveredPackets).toBeGreaterThan(300);
    expect(world.callerSide.connection!.stats(world.network.nowUs).retransmittedPackets).toBeLessThan(800);
  });

  it('skips packets that are too late and continues in order', () => {
    const tight = { receiverLatencyMs: 50, senderLatencyMs: 50 };
    const world = createWorld({ seed: 5, loss: 0.1, delayUs: 30_000 }, tight);
    world.run(3_000_000);
    publish(world, 1000, 2_600, 2_000_000);
    const numbers = world.listenerSide.received.map((payload) => payload.readUInt32BE(0));
    expect(world.listenerSide.lost).toBeGreaterThan(0);
    expect(numbers.length + world.listenerSide.lost).toBe(1000);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });
});

describe('encryption', () => {
  const secret = { ...options, passphrase: 'correct horse battery' };

  it.each([16, 24, 32] as const)(
    'carries payloads under AES with %i key bytes and never in plain text',
    (keyLength) => {
      const world = createWorld(quietPath, { ...secret, keyLength }, secret);
      const wire: Buffer[] = [];
      const send = world.network.send.bind(world.network);
      world.network.send = (datagram, deliver) => {
        wire.push(Buffer.from(datagram));
        send(datagram, deliver);
      };
      world.run(500_000);
      publish(world, 50, 2_000, 1_000_000);
      expect(world.listenerSide.received.map((payload) => payload.readUInt32BE(0))).toEqual([...Array(50).keys()]);
      expect(world.requests[0]?.isEncrypted).toBe(true);
      expect(wire.some((datagram) => datagram.includes(Buffer.alloc(64, 7)))).toBe(false);
    },
  );

  it('refuses a wrong passphrase', () => {
    const world = createWorld(quietPath, { ...secret, passphrase: 'wrong wrong wrong' }, secret);
    world.run(500_000);
    expect(world.failure()).toBe(rejectReason.badSecret);
    expect(world.refusals).toEqual([rejectReason.badSecret]);
    expect(world.requests).toEqual([]);
  });

  it.each([
    ['the caller does not encrypt', options, secret],
    ['only the caller encrypts', secret, options],
  ])('refuses when %s', (_name, callerOptions, listenerOptions) => {
    const world = createWorld(quietPath, callerOptions, listenerOptions);
    world.run(500_000);
    expect(world.failure()).toBe(rejectReason.unsecure);
  });
});
