import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { HeldRequests } from './held-requests.ts';

function createCondition() {
  const callbacks = new Set<() => void>();
  let isMet = false;
  return {
    waiting: callbacks,
    meet() {
      isMet = true;
      for (const callback of [...callbacks]) callback();
    },
    held: (ip = '10.0.0.1', timeoutMs = 60_000) => ({
      ip,
      timeoutMs,
      isMet: () => isMet,
      onChange(callback: () => void) {
        callbacks.add(callback);
        return () => callbacks.delete(callback);
      },
    }),
  };
}

const open = () => Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse;

it('wakes ten thousand in turns, and lets other work run in between', async () => {
  const requests = new HeldRequests();
  const condition = createCondition();
  let responseCount = 0;
  const all = Array.from({ length: 10_000 }, async () => {
    expect(await requests.hold(open(), condition.held())).toBe('met');
    responseCount++;
  });
  expect(requests.count).toBe(10_000);
  condition.meet();
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(responseCount).toBeGreaterThan(0);
  expect(responseCount).toBeLessThan(2_000);
  await Promise.all(all);
  expect([requests.count, condition.waiting.size]).toEqual([0, 0]);
});

it('releases requests of disconnected clients, also between waking and response', async () => {
  const requests = new HeldRequests();
  const condition = createCondition();
  const [left, leaving] = [open(), open()];
  const outcomes = [requests.hold(left, condition.held()), requests.hold(leaving, condition.held())];
  left.emit('close');
  expect(await outcomes[0]).toBe('gone');
  condition.meet();
  Object.assign(leaving, { destroyed: true });
  leaving.emit('close');
  expect(await outcomes[1]).toBe('gone');
  // The disconnect now precedes the turn of the response. The request must not be counted twice.
  await new Promise((resolve) => setImmediate(resolve));
  expect([requests.count, condition.waiting.size, leaving.listenerCount('close')]).toEqual([0, 0, 0]);
});

it('waits no longer than its time limit', async () => {
  const condition = createCondition();
  expect(await new HeldRequests().hold(open(), condition.held('10.0.0.1', 5))).toBe('timeout');
  expect(condition.waiting.size).toBe(0);
});

it('bounds the waiting requests of one address, and of all', async () => {
  const requests = new HeldRequests({ maxHeld: 3, maxPerAddress: 2 });
  const condition = createCondition();
  const held = ['10.0.0.1', '10.0.0.1', '10.0.0.2'].map((ip) => requests.hold(open(), condition.held(ip)));
  expect(await requests.hold(open(), condition.held('10.0.0.1'))).toBe('full');
  expect(await requests.hold(open(), condition.held('10.0.0.3'))).toBe('full');
  condition.meet();
  expect(await Promise.all(held)).toEqual(['met', 'met', 'met']);
  expect(await requests.hold(open(), condition.held('10.0.0.1'))).toBe('met');
});

it('bounds the waiting requests of one session, and counts all addresses of one network together', async () => {
  const requests = new HeldRequests({ maxPerAddress: 3, maxPerSession: 2 });
  const condition = createCondition();
  const hold = (ip: string, session?: string) => requests.hold(open(), { ...condition.held(ip), session });
  const held = [hold('2001:db8::1', 'a'), hold('2001:db8::2', 'a'), hold('2001:db8:1::1', 'b')];
  expect(await hold('2001:db8:1::1', 'a')).toBe('full');
  held.push(hold('2001:db8::3', 'b'));
  expect(await hold('2001:db8::4', 'c')).toBe('full');
  expect(await hold('2001:db8::4')).toBe('full');
  condition.meet();
  expect(new Set(await Promise.all(held))).toEqual(new Set(['met']));
  const later = createCondition();
  const again = requests.hold(open(), { ...later.held('2001:db8::9'), session: 'a' });
  later.meet();
  expect([await again, requests.count]).toEqual(['met', 0]);
});

it('responds to a viewer in between the thousands of another address, not after them', async () => {
  const requests = new HeldRequests();
  const condition = createCondition();
  const order: string[] = [];
  const hold = async (ip: string): Promise<void> => {
    await requests.hold(open(), condition.held(ip));
    order.push(ip);
  };
  const all = Array.from({ length: 2_000 }, () => hold('10.0.0.1'));
  all.push(hold('10.0.0.2'));
  condition.meet();
  await Promise.all(all);
  expect(order.indexOf('10.0.0.2')).toBeLessThan(256);
});
