// The record button of a stream overrides the setting for all streams, in both directions.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeTestClip } from '../src/testing/test-clip.ts';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

let clip: Buffer;
let platform: TestPlatform;
let sequence: number;

beforeAll(() => {
  clip = makeTestClip();
});
beforeEach(async () => {
  sequence = 0;
  platform = await openTestPlatform();
  platform.start();
});
afterEach(() => platform.dispose());

const call = async (name: Parameters<TestPlatform['call']>[0], body: object = {}) => {
  const response = await platform.call(name, body);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body.data;
};
async function segment(stream: string): Promise<void> {
  const file = join(platform.dataDir, 'hls', 'live', `${stream}-${sequence}.ts`);
  await mkdir(join(platform.dataDir, 'hls', 'live'), { recursive: true });
  await writeFile(file, clip);
  const source = { vhost: '__defaultVhost__', app: 'live', stream, m3u8_url: `live/${stream}.m3u8` };
  const body = {
    action: 'on_hls',
    ...source,
    url: `live/${stream}-${sequence}.ts`,
    file,
    duration: 1,
    seq_no: sequence++,
  };
  expect((await platform.call('hlsSegment', body, { 'x-callback-secret': testCallbackSecret })).status).toBe(200);
}
const recorded = async () => (await call('queryRecordFiles')).map((row: { stream: string }) => row.stream).sort();
const state = (stream: string) => call('queryStreamRecording', { app: 'live', stream });
const choose = (stream: string, record: boolean) => call('updateStreamRecording', { app: 'live', stream, record });

it('one stream is recorded while recording is off, until it is stopped; the choice survives a restart', async () => {
  expect(await state('a')).toEqual({ wanted: false, chosen: null, since: '' });
  await choose('a', true);
  expect(await state('a')).toEqual({ wanted: true, chosen: true, since: '' });
  await segment('a');
  await segment('b');
  expect(await recorded()).toEqual(['a']);
  expect(await state('a')).toMatchObject({ wanted: true, since: expect.stringMatching(/^\d{4}-/) });
  platform = await platform.reopen();
  platform.start();
  await segment('a');
  expect(await call('queryRecordFiles')).toMatchObject([{ stream: 'a', nn: 2, state: 'recording' }]);
  await choose('a', false);
  expect(await state('a')).toEqual({ wanted: false, chosen: null, since: '' });
  expect((await call('queryRecordFiles'))[0].state).not.toBe('recording');
  await segment('a');
  expect(await call('queryRecordFiles')).toHaveLength(1);
});

it('one stream is excluded while all are recorded; resetting the choice leaves no trace', async () => {
  await call('applyRecord', { all: true });
  await segment('a');
  await choose('a', false);
  expect(await state('a')).toEqual({ wanted: false, chosen: false, since: '' });
  await segment('a');
  await segment('b');
  expect(await recorded()).toEqual(['a', 'b']);
  await choose('a', true);
  expect(await state('a')).toMatchObject({ wanted: true, chosen: null });
  await segment('a');
  expect(await recorded()).toEqual(['a', 'a', 'b']);
});

it.each([{}, { app: 'live' }, { app: '', stream: 'x', record: true }, { app: 'live', stream: 'x' }])(
  '%j is refused and changes nothing',
  async (body) => {
    expect((await platform.call('updateStreamRecording', body)).status).toBe(400);
    expect(await state('x')).toEqual({ wanted: false, chosen: null, since: '' });
  },
);
