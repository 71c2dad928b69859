import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { Collection } from '../store/store.ts';
import { RecordCatalogue } from './record-catalogue.ts';
import { noProblem, type RecordFacts } from './record-facts.ts';

const facts: RecordFacts = {
  ...{ uuid: 'a', vhost: '', app: 'live', stream: 's', m3u8Url: '', state: 'done', ...noProblem },
  ...{ begin: '2026-01-02T03:04:05Z', update: '2026-01-02T03:05:05Z', nn: 1, duration: 60, size: 1, mp4Size: 1 },
};
const label = { title: '', notes: '', keep: true };

it('rejects a label that the store refuses, because after a restart the row of the store is used', async () => {
  let isAway = true;
  const stored: RecordFacts[] = [];
  const collection: Pick<Collection<RecordFacts>, 'put'> = {
    async put(_id, value) {
      if (isAway) throw new Error('the store is away');
      stored.push(value);
      return '';
    },
  };
  const self = { id: 'n', name: 'n' };
  const catalogue = new RecordCatalogue(collection as Collection<RecordFacts>, self, pino({ level: 'silent' }));
  await catalogue.keep(facts);
  await expect(catalogue.label('a', label)).rejects.toThrow('the store is away');
  expect(stored).toEqual([]);
  isAway = false;
  await catalogue.label('a', label);
  expect([stored.at(-1)?.label, catalogue.get('a')?.label]).toEqual([label, label]);
});
