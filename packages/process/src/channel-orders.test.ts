import { describe, expect, it } from 'vitest';
import { type ChannelOrder, maxChannels, parseChannelOrders, writeChannelOrders } from './channel-orders.ts';

const entry = {
  id: 'a',
  file: '/d/a.flv',
  startMs: 1000,
  offsetMs: 0,
  endMs: 2000,
  loops: false,
  isFixed: true,
  live: '',
};
const order: ChannelOrder = {
  ...{ id: 'c', vhost: '__defaultVhost__', app: 'live', stream: 'c', param: '?secret=x', filler: '/d/f.flv' },
  entries: [entry],
  liveItems: ['a'],
  takeover: { id: 't', live: 'live/guest' },
};

describe('orders of channels', () => {
  it('are read as they were written', () => {
    expect(parseChannelOrders(writeChannelOrders([order]))).toEqual([order]);
    expect(parseChannelOrders(writeChannelOrders([]))).toEqual([]);
  });

  it('of a release without live streams are read', () => {
    const { liveItems: _, takeover: __, ...older } = order;
    const { live: ___, ...olderEntry } = entry;
    const read = parseChannelOrders(JSON.stringify({ channels: [{ ...older, entries: [olderEntry] }] }));
    expect(read).toEqual([{ ...order, entries: [{ ...entry, live: '' }], liveItems: [], takeover: undefined }]);
  });

  it.each([
    ['no list', {}],
    ['a channel without stream', { channels: [{ ...order, stream: undefined }] }],
    ['entries that are not a list', { channels: [{ ...order, entries: 'x' }] }],
    ['a time that is not a number', { channels: [{ ...order, entries: [{ ...entry, startMs: null }] }] }],
    ['an entry that ends before it starts', { channels: [{ ...order, entries: [{ ...entry, endMs: 1000 }] }] }],
    ['a takeover without stream', { channels: [{ ...order, takeover: { id: 't' } }] }],
    ['too many channels', { channels: Array.from({ length: maxChannels + 1 }, () => order) }],
  ])('with %s are refused', (_name, value) => {
    expect(() => parseChannelOrders(JSON.stringify(value))).toThrow();
  });
});
