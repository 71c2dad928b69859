import type { SrsChannelRow } from '@srs-stack/contract/wire/srs-rows.ts';
import { expect, it } from 'vitest';
import type { Log, LogType } from '../../store/store.ts';
import { openAsRunLog } from './as-run-log.ts';

function memoryStore() {
  const entries: unknown[] = [];
  const log = <T>(_type: LogType<T>): Log<T> => ({
    append: async (value) => void entries.unshift(value),
    newest: async (count) => entries.slice(0, count) as T[],
  });
  return { log };
}

const titles = { titleOf: (channel: string, clip: string) => `${channel}:${clip}` };
const event = (number: number, entry: string, kind: 'started' | 'failed' = 'started') => ({
  ...{
    number,
    atMs: 1_000 * number,
    entry,
    file: `/${entry}`,
    kind,
    detail: kind === 'failed' ? 'ENOENT' : '',
    offsetMs: 0,
  },
});
const row = (id: string, ...events: ReturnType<typeof event>[]): SrsChannelRow => ({
  ...{ id, stream: `live/${id}`, state: 'on-air', reason: '', live: '', awaited: '', overTakeover: '', events },
});

it('stores each event once, even after a restart', async () => {
  const store = memoryStore();
  const first = await openAsRunLog(store);
  await first.take([row('c', event(1, 'a')), row('d', event(1, 'x'))], titles);
  await first.take([row('c', event(1, 'a'), event(2, 'b', 'failed'))], titles);
  const again = await openAsRunLog(store);
  await again.take([row('c', event(1, 'a'), event(2, 'b', 'failed'), event(3, 'a'))], titles);
  expect((await again.newest('c')).map(({ title, kind, detail }) => [title, kind, detail])).toEqual([
    ['c:a', 'started', ''],
    ['c:b', 'failed', 'ENOENT'],
    ['c:a', 'started', ''],
  ]);
  expect(await again.newest('d')).toHaveLength(1);
});
