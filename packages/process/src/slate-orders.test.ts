import { describe, expect, it } from 'vitest';
import { maxSlates, parseSlateOrders, type SlateOrder, writeSlateOrders } from './slate-orders.ts';

const order: SlateOrder = { app: 'live', stream: 's', afterSeconds: 3, longestMinutes: 10, file: '/data/slates/a.ts' };

describe('slate orders', () => {
  it('are read as they were written', () => {
    expect(parseSlateOrders(writeSlateOrders([order, { ...order, stream: 't' }]))).toEqual([
      order,
      { ...order, stream: 't' },
    ]);
  });

  it('may have a backup, with a slate and without', () => {
    const backup = { app: 'live', stream: 'b' };
    const { file: _, ...bare } = order;
    const orders = [
      { ...order, backup },
      { ...bare, backup },
    ];
    expect(parseSlateOrders(writeSlateOrders(orders))).toEqual(orders);
  });

  it('may start a stream', () => {
    const start = { id: 'a1', vhost: '__defaultVhost__', param: '?secret=x', untilMs: 1_700_000_000_000 };
    expect(parseSlateOrders(writeSlateOrders([{ ...order, start }]))).toEqual([{ ...order, start }]);
  });

  it.each([
    ['invalid JSON', '{'],
    ['neither slate nor backup', JSON.stringify({ slates: [{ ...order, file: undefined }] })],
    ['an incomplete backup', JSON.stringify({ slates: [{ ...order, backup: { app: 'live' } }] })],
    ['an invalid backup', JSON.stringify({ slates: [{ ...order, backup: null }] })],
    ['a start without a time', JSON.stringify({ slates: [{ ...order, start: { id: 'a', vhost: 'v', param: '' } }] })],
    ['an invalid start', JSON.stringify({ slates: [{ ...order, start: null }] })],
    ['no list', '{}'],
    ['an empty name', JSON.stringify({ slates: [{ ...order, stream: '' }] })],
    ['no time', JSON.stringify({ slates: [{ ...order, afterSeconds: 0 }] })],
    ['an invalid time', '{"slates":[{"app":"a","stream":"s","afterSeconds":"3","longestMinutes":1,"file":"/f"}]}'],
    ['too many', JSON.stringify({ slates: Array.from({ length: maxSlates + 1 }, () => order) })],
  ])('are refused with %s', (_name, text) => {
    expect(() => parseSlateOrders(text)).toThrow();
  });
});
