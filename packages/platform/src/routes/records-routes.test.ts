import type { RecordRow } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { jsonBytesOf } from '../json-bytes.ts';
import type { Modules } from '../modules.ts';
import { createRowList } from '../recording/listing/record-rows.ts';
import { noProblem, toRow } from '../recording/record-facts.ts';
import { recordsRoutes } from './records-routes.ts';

const facts = (index: number) => ({
  ...{
    uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    vhost: '',
    app: 'live',
    stream: `s${index}`,
  },
  ...{ m3u8Url: '', begin: '2026-01-01T00:00:00.000Z', update: '', state: 'done' as const },
  ...{ nn: 1, duration: 2, size: 10, mp4Size: 5, ...noProblem },
});
const rows = createRowList((each) => toRow(each))([facts(3), facts(2), facts(1)]);

function responded(protectedStreams: readonly string[]): RecordRow[] {
  const isOpen = (stream: string) => !protectedStreams.includes(stream);
  const watching: Pick<Modules['watching'], 'modeOf' | 'ownQuery'> = {
    modeOf: ({ stream }) => (isOpen(stream) ? 'open' : 'signed'),
    ownQuery: (_purpose, { stream }) => ({ query: isOpen(stream) ? '' : `watch=${stream}`, expiresAt: 0 }),
  };
  const recording = { records: { files: () => rows } };
  const handlers = recordsRoutes({ recording, watching } as unknown as Pick<Modules, 'recording' | 'watching'>);
  const request = { search: '', offset: 0, limit: undefined } as Parameters<typeof handlers.queryRecordFiles>[0];
  return handlers.queryRecordFiles(request, {} as never) as RecordRow[];
}

test('if all streams are open, the list with cached JSON is returned', () => {
  expect(jsonBytesOf(responded([]))).toBe(jsonBytesOf(rows));
  expect(jsonBytesOf(rows)).toBeDefined();
});

test('a row of a protected stream has the query for its links, the others are unchanged', () => {
  expect(responded(['s2'])).toEqual(
    rows.map((row) => (row.stream === 's2' ? { ...row, watchQuery: 'watch=s2' } : row)),
  );
  expect(rows.some((row) => row.watchQuery)).toBe(false);
});
