import type { ChannelEntry, ChannelOrder } from '@srs-stack/process/channel-orders.ts';
import { describe, expect, it } from 'vitest';
import { nextPart, type Part, resumedPart, sameEntry } from './next-part.ts';

const second = 1000;
const entry = (id: string, fromSeconds: number, toSeconds: number, more: Partial<ChannelEntry> = {}): ChannelEntry => ({
  ...{ id, file: `/${id}.flv`, startMs: fromSeconds * second, endMs: toSeconds * second },
  ...{ offsetMs: 0, loops: false, isFixed: false, live: '', ...more },
});
const a = entry('a', 100, 200);
const b = entry('b', 200, 300);
const news = entry('news', 300, 400, { isFixed: true });
const order: ChannelOrder = {
  ...{ id: 'c', vhost: 'v', app: 'live', stream: 'c', param: '', filler: '/dark.flv' },
  entries: [a, b, news],
  liveItems: [],
  takeover: undefined,
};
const choose = (wallSeconds: number, more: { last?: ChannelEntry; failed?: string[] } = {}): Part =>
  nextPart({ order, failed: new Set(more.failed), last: more.last, wallMs: wallSeconds * second });

describe('the next part of a channel', () => {
  it('is initially the entry that is due', () => {
    expect(choose(130)).toMatchObject({ entry: a, offsetMs: 30_000, endMs: 200_000 });
  });

  it('is the following entry from its beginning, also when the last one ended a little early or late', () => {
    expect(choose(198, { last: a })).toMatchObject({ entry: b, offsetMs: 0 });
    expect(choose(204, { last: a })).toMatchObject({ entry: b, offsetMs: 0 });
  });

  it('is the entry that is due when the channel was delayed', () => {
    expect(choose(250, { last: a })).toMatchObject({ entry: b, offsetMs: 50_000 });
    expect(choose(310, { last: a })).toMatchObject({ entry: news, offsetMs: 10_000 });
  });

  it('is the following entry immediately when a file cannot be read', () => {
    expect(choose(100, { failed: ['/a.flv'] })).toMatchObject({ entry: b, offsetMs: 0 });
    expect(choose(150, { last: a, failed: ['/a.flv'] })).toMatchObject({ entry: b, offsetMs: 0 });
  });

  it('is the filler while an entry with a fixed time is not due', () => {
    const dark = choose(210, { last: a, failed: ['/b.flv'] });
    expect(dark).toMatchObject({ entry: undefined, file: '/dark.flv', endMs: 220_000, loops: true });
    expect(choose(297, { failed: ['/b.flv'] })).toMatchObject({ entry: news });
  });

  it('is the filler when nothing can be read', () => {
    expect(choose(150, { failed: ['/a.flv', '/b.flv', '/news.flv'] })).toMatchObject({ file: '/dark.flv' });
  });

  it('repeats all entries after the last one', () => {
    expect(choose(430)).toMatchObject({ entry: { id: 'a', startMs: 400_000 }, offsetMs: 30_000 });
    expect(choose(400, { last: news })).toMatchObject({ entry: { id: 'a' }, offsetMs: 0 });
  });
});

describe('an interrupted part', () => {
  const interrupted = { part: choose(130), offsetMs: 30_000, wallMs: 130_000 };

  it('resumes at its position, for its remaining time', () => {
    expect(resumedPart(interrupted, order, 150_000)).toMatchObject({ entry: a, offsetMs: 30_000, endMs: 220_000 });
  });

  it('ends for an entry with a fixed time, and does not resume during one', () => {
    expect(resumedPart(interrupted, order, 280_000)).toMatchObject({ entry: a, endMs: 300_000 });
    expect(resumedPart(interrupted, order, 310_000)).toBeUndefined();
  });

  it('does not resume when it was removed', () => {
    expect(resumedPart(interrupted, { ...order, entries: [b, news] }, 150_000)).toBeUndefined();
  });
});

describe('a changed order', () => {
  const playing = choose(130);

  it('continues the entry at about the same position', () => {
    const longer = { ...a, endMs: 220_000 };
    expect(sameEntry({ ...order, entries: [longer, b] }, playing, 31_000, 130_000)).toBe(longer);
  });

  it('continues an entry that plays slightly late', () => {
    expect(sameEntry(order, playing, 99_500, 200_300)).toBe(a);
  });

  it('replaces the part by another entry, file or position', () => {
    expect(sameEntry({ ...order, entries: [b] }, playing, 30_000, 230_000)).toBeUndefined();
    expect(sameEntry({ ...order, entries: [{ ...a, file: '/x.flv' }] }, playing, 30_000, 130_000)).toBeUndefined();
    expect(sameEntry({ ...order, entries: [{ ...a, startMs: 50_000 }] }, playing, 30_000, 130_000)).toBeUndefined();
  });
});
