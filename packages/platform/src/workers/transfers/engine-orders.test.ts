// Orders for the gateways in their file: what is written, and how often.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openEngineOrders } from './engine-orders.ts';

interface Order {
  readonly id: string;
  readonly url: string;
}

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'engine-orders-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'orders.json');
  let writes = 0;
  const orders = await openEngineOrders<Order, Order & { state: string }>({
    ...{ file, isOn: true, nearestFirst: [], list: async () => [], log: pino({ level: 'silent' }) },
    parse: (text) => JSON.parse(text) as Order[],
    write(all) {
      writes += 1;
      return JSON.stringify(all);
    },
  });
  const stored = async () => (JSON.parse(await readFile(file, 'utf8')) as Order[]).map(({ url }) => url);
  return { orders: orders!, stored, writes: () => writes };
}

it('each change is in the file when it resolves', async () => {
  const { orders, stored } = await open();
  await orders.put('a', { url: '1' });
  expect(await stored()).toEqual(['1']);
  const second = orders.put('a', { url: '2' });
  const third = orders.put('b', { url: '3' });
  await second;
  expect(await stored()).toContain('2');
  await third;
  expect(await stored()).toEqual(['2', '3']);
  await orders.remove('a');
  expect(await stored()).toEqual(['3']);
});

it('200 tasks that start together cost two writes', async () => {
  const { orders, stored, writes } = await open();
  await Promise.all(Array.from({ length: 200 }, (_, number) => orders.put(`task-${number}`, { url: String(number) })));
  expect(writes()).toBeLessThanOrEqual(2);
  expect(await stored()).toHaveLength(200);
});
