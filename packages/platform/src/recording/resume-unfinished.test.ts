import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noProblem, type RecordFacts } from './record-facts.ts';
import { openRecordFolder, type RecordFolder } from './record-folder.ts';
import { resumeUnfinished } from './resume-unfinished.ts';

let root: string;
let folder: RecordFolder;
let stored: Map<string, RecordFacts>;
let calls: string[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'srs-resume-'));
  folder = await openRecordFolder(root);
  stored = new Map();
  calls = [];
});
afterEach(() => rmSync(root, { recursive: true }));

const uuidOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const shortOf = (uuid: string) => Number(uuid.slice(-12));

async function has(n: number, changes: Partial<RecordFacts> = {}): Promise<void> {
  const facts: RecordFacts = {
    ...{ uuid: uuidOf(n), vhost: '__defaultVhost__', app: 'live', stream: 's', m3u8Url: 'live/s.m3u8' },
    ...{ begin: '2026-01-01T00:00:00.000Z', update: '2026-01-01T00:01:00.000Z', state: 'done' },
    ...{ nn: 1, duration: 2, size: 3, mp4Size: 0, node: 'a', nodeName: 'A' },
    ...noProblem,
    ...changes,
  };
  await folder.create(facts);
  stored.set(facts.uuid, facts);
}

const resume = (isShared = false, failing: readonly number[] = []) =>
  resumeUnfinished({
    folder,
    catalogue: {
      stored: async () => stored,
      show: ({ uuid, node }) => void calls.push(`show ${shortOf(uuid)}${node === undefined ? '' : ` of ${node}`}`),
    },
    others: { take: (rows) => void calls.push(`others ${rows.size}`) },
    tasks: {
      resume: async ({ uuid }) => {
        calls.push(`resume ${shortOf(uuid)}`);
        if (failing.includes(shortOf(uuid))) throw new Error('planted');
      },
      rememberEnd: async (uuid) => void calls.push(`remember ${shortOf(uuid)}`),
    },
    finisher: { enqueue: (uuid) => void calls.push(`finish ${shortOf(uuid)}`) },
    nodes: { self: { id: 'a', name: 'A' }, isShared, isGone: (id) => id === 'gone' },
    now: () => new Date('2026-01-02T00:00:00.000Z'),
    log: { debug() {}, info() {}, warn: (_, text) => void calls.push(text), error: (_, text) => void calls.push(text) },
  });
const only = (verb: string) => calls.filter((each) => each.startsWith(verb)).sort();

test('running recordings continue, unfinished ones are finished, done and deleted ones are only listed', async () => {
  await has(1, { state: 'recording' });
  await has(2, { state: 'finishing' });
  await has(3);
  await has(4, { state: 'recording' });
  await folder.moveToBin(uuidOf(4));
  expect(await resume(false, [1])).toEqual([]);
  expect(only('show')).toEqual(['show 1', 'show 2', 'show 3', 'show 4']);
  expect([...only('resume'), ...only('finish')]).toEqual(['resume 1', 'finish 2']);
  // A recording that cannot be resumed must not block other recordings.
  expect(only('recording')).toEqual(['recording cannot be resumed']);
});

test('the ends of the newest hundred recordings are remembered, after running ones are resumed', async () => {
  for (let n = 1; n <= 102; n++) {
    await has(n, { update: `2026-01-01T00:00:00.${String(n).padStart(3, '0')}Z` });
  }
  await has(103, { state: 'recording' });
  await has(104, { isAway: true });
  await resume();
  const remembered = calls.filter((each) => each.startsWith('remember'));
  expect(remembered).toEqual(Array.from({ length: 100 }, (_, index) => `remember ${102 - index}`));
  expect(calls.indexOf('resume 103')).toBeLessThan(calls.indexOf('remember 102'));
});

test('returns recordings that the table lacks; with other nodes also those without a node in their row', async () => {
  await has(1);
  await has(2, { node: undefined, nodeName: undefined });
  await has(3, { node: 'gone' });
  await has(4, { isAway: true });
  stored.delete(uuidOf(4));
  const responded = async (isShared: boolean) => (await resume(isShared)).map(shortOf).sort();
  expect(await responded(false)).toEqual([4]);
  expect(only('others')).toEqual([]);
  expect(await responded(true)).toEqual([2, 3, 4]);
  expect(only('others')).toEqual(['others 3']);
});

test('does not resume running recordings of another node; finished ones in a shared folder are listed', async () => {
  await has(1, { state: 'recording', node: 'b' });
  await has(2, { state: 'recording', node: 'gone' });
  await has(3, { node: 'b' });
  await resume(true);
  expect([...only('show'), ...only('resume')]).toEqual(['show 2', 'show 3', 'resume 2']);
});

test('rows of this node without a folder are reported, those of others are not', async () => {
  await has(1, { node: 'b' });
  await has(2);
  await folder.purge(uuidOf(1));
  await resume(true);
  expect(only('recordings of the table')).toEqual([]);
  await folder.purge(uuidOf(2));
  await resume(true);
  expect(only('recordings listed')).toEqual(['recordings listed in the store are missing in the record folder']);
});
