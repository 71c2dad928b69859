// A caller and a listener of this package over loopback sockets.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { rejectReason } from '../handshake/reject-reason.ts';
import type { ConnectionRequest } from '../handshake/srt-acceptor.ts';
import { SrtCall } from './srt-call.ts';
import { monotonicUs, SrtListener } from './srt-listener.ts';

const options = { receiverLatencyMs: 20, senderLatencyMs: 20 };
const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function listen(decide: (request: ConnectionRequest) => void, host = '127.0.0.1', more: object = {}) {
  const listener = new SrtListener({ ...options, ...more }, { onRequest: decide });
  open.push(listener);
  return { listener, port: await listener.listen(0, host) };
}

function call(port: number, more: { streamId?: string; address?: string; passphrase?: string } = {}) {
  const events: string[] = [];
  let wake = (): void => undefined;
  const on = (event: string): void => {
    events.push(event);
    wake();
  };
  const caller = new SrtCall(
    { ...options, address: '127.0.0.1', port, streamId: '', ...more },
    {
      onConnected: () => on('connected'),
      onFailed: (code) => on(`failed ${code}`),
      onError: (error) => on(`error ${(error as NodeJS.ErrnoException).code}`),
      onClosed: (reason) => on(`closed: ${reason}`),
    },
  );
  open.push(caller);
  const next = async (): Promise<string> => {
    while (events.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return events.shift()!;
  };
  return { caller, next, events };
}

/** A `decide` function that accepts callers. `payloads` contains received texts; `closed` resolves with the reason of the end. */
function collect() {
  const payloads: string[] = [];
  let done: (reason: string) => void;
  const closed = new Promise<string>((resolve) => {
    done = resolve;
  });
  const decide = (request: ConnectionRequest): void => {
    request.accept(
      { onPayload: (payload) => payloads.push(payload.toString()), onClosed: (reason) => done(reason) },
      monotonicUs(),
    );
  };
  return { payloads, closed, decide };
}

describe('SrtCall', () => {
  it.each([
    ['IPv4', '127.0.0.1', {}],
    ['IPv6', '::1', {}],
    ['IPv4, encrypted', '127.0.0.1', { passphrase: 'correct-horse-battery' }],
  ])('delivers its payloads in order over %s', async (_name, address, secret) => {
    const { payloads, closed, decide } = collect();
    const streamIds: string[] = [];
    const { port } = await listen(
      (request) => {
        streamIds.push(request.streamId);
        decide(request);
      },
      address,
      secret,
    );
    const { caller, next, events } = call(port, { address, streamId: '#!::r=live/s,m=publish', ...secret });
    expect(caller.send(Buffer.from('too early'))).toBe(false);
    expect(await next()).toBe('connected');
    const sent = Array.from({ length: 40 }, (_, index) => `payload ${index}`);
    for (const text of sent) expect(caller.send(Buffer.from(text))).toBe(true);
    while (payloads.length < sent.length) await new Promise((resolve) => setImmediate(resolve));
    expect(payloads).toEqual(sent);
    expect(streamIds).toEqual(['#!::r=live/s,m=publish']);
    expect(caller.stats()).toMatchObject({ latencyMs: 20 });
    expect(caller.waitingPackets).toBe(0);
    caller.close();
    caller.close();
    await closed;
    expect(events).toEqual([]);
    expect(caller.send(Buffer.from('too late'))).toBe(false);
  });

  it('reports the code with which a listener refuses', async () => {
    const { port } = await listen((request) => request.reject(rejectReason.forbidden, monotonicUs()));
    const { caller, next } = call(port);
    expect(await next()).toBe(`failed ${rejectReason.forbidden}`);
    expect([caller.waitingPackets, caller.stats()]).toEqual([0, undefined]);
  });

  it("reports a passphrase that is not the listener's", async () => {
    const { port } = await listen(collect().decide, '127.0.0.1', { passphrase: 'correct-horse-battery' });
    expect(await call(port, { passphrase: 'wrong-wrong-wrong' }).next()).toBe(`failed ${rejectReason.badSecret}`);
  });

  it('reports when the listener closes', async () => {
    let accepted = (): void => undefined;
    const connected = new Promise<void>((resolve) => {
      accepted = resolve;
    });
    const { decide } = collect();
    const { listener, port } = await listen((request) => {
      decide(request);
      accepted();
    });
    const { next } = call(port);
    expect(await next()).toBe('connected');
    await connected;
    listener.close();
    expect(await next()).toMatch(/^closed: /);
  });

  it('reports that no process listens', async () => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address();
    socket.close();
    await once(socket, 'close');
    expect(await call(port).next()).toBe('error ECONNREFUSED');
  });

  it('ignores datagrams that are not SRT', async () => {
    const { payloads, decide } = collect();
    const { port } = await listen(decide);
    const stranger = createSocket('udp4');
    open.push(stranger);
    for (const bytes of ['', 'x', 'GET / HTTP/1.1\r\n\r\n']) stranger.send(bytes, port, '127.0.0.1');
    const { caller, next } = call(port);
    expect(await next()).toBe('connected');
    caller.send(Buffer.from('media'));
    while (payloads.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(payloads).toEqual(['media']);
  });
});
