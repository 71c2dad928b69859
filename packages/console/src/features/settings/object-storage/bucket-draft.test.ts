import { expect, test } from 'vitest';
import { type BucketDraft, consequencesOf, isPlainHttp, missingIn } from './bucket-draft.ts';
import type { ObjectStorage } from './queries.ts';

const draft: BucketDraft = {
  ...{ on: true, endpoint: 'https://s3.example.com', region: '', bucket: 'films', pathStyle: true, prefix: '' },
  ...{ local: 'keep', delivery: 'auto', accessKey: '', secretKey: '' },
};
const none = { count: 0, bytes: 0 };
const stored: ObjectStorage = {
  ...draft,
  ...{ accessKey: 'AKIA…CDEF', hasSecretKey: true, delivers: 'direct', revision: 'r' },
  status: {
    ...{ waiting: none, stored: none, onlyThere: none, onlyHere: none, problem: null },
    removals: { count: 0, problem: null },
  },
};

test('keys are required once, later both or none', () => {
  expect(missingIn({ hasSecretKey: true }, draft)).toEqual([]);
  expect(missingIn({ hasSecretKey: false }, draft)).toEqual(['accessKey', 'secretKey']);
  expect(missingIn({ hasSecretKey: true }, { ...draft, accessKey: 'a' })).toEqual(['secretKey']);
  expect(missingIn({ hasSecretKey: true }, { ...draft, endpoint: ' ', bucket: '' })).toEqual(['endpoint', 'bucket']);
});

test('the consequences are known before saving', () => {
  expect(consequencesOf(stored, draft)).toEqual([]);
  expect(consequencesOf(stored, { ...draft, local: 'remove' })).toEqual(['removesLocal']);
  expect(consequencesOf({ ...stored, local: 'remove' }, { ...draft, local: 'remove' })).toEqual([]);
  expect(consequencesOf(stored, { ...draft, on: false, local: 'remove' })).toEqual([]);
  const away = { ...stored, status: { ...stored.status, onlyThere: { count: 3, bytes: 9 } } };
  expect(consequencesOf(away, { ...draft, bucket: 'others' })).toEqual(['leavesBucket']);
  expect(consequencesOf(away, { ...draft, region: 'eu-west-1' })).toEqual([]);
});

test('unencrypted transfers are detected', () => {
  expect(isPlainHttp(' HTTP://10.0.0.1:9000')).toBe(true);
  expect(isPlainHttp('https://s3.example.com')).toBe(false);
});
