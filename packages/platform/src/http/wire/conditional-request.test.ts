import { expect, test } from 'vitest';
import { judgeConditions } from './conditional-request.ts';

const file = { etag: '"64-a"', modifiedMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678), size: 100 };
const at = 'Fri, 02 Jan 2026 03:04:05 GMT';
const before = 'Fri, 02 Jan 2026 03:04:04 GMT';
const after = 'Fri, 02 Jan 2026 03:04:06 GMT';
const all = { status: 200, start: 0, end: 100 };
const part = { status: 206, start: 10, end: 20 };
const range = 'bytes=10-19';

test.each([
  [{}, all],
  [{ range }, part],
  [{ range: 'bytes=100-' }, { status: 416 }],
  [{ range: 'bytes=-0' }, { status: 416 }],
  [{ range: 'lines=1-2' }, all],
  [{ 'if-none-match': '"64-a"' }, { status: 304 }],
  [{ 'if-none-match': 'W/"64-a"' }, { status: 304 }],
  [{ 'if-none-match': '"x", W/"64-a"' }, { status: 304 }],
  [{ 'if-none-match': '*' }, { status: 304 }],
  [{ 'if-none-match': '"x"' }, all],
  [{ 'if-none-match': '"64-a"', range }, { status: 304 }],
  [{ 'if-none-match': '"x"', 'if-modified-since': after }, all],
  [{ 'if-modified-since': at }, { status: 304 }],
  [{ 'if-modified-since': after }, { status: 304 }],
  [{ 'if-modified-since': before }, all],
  [{ 'if-modified-since': 'soon' }, all],
  [{ 'if-match': '"64-a"' }, all],
  [{ 'if-match': '*' }, all],
  [{ 'if-match': 'W/"64-a"' }, { status: 412 }],
  [{ 'if-match': '"x"', range }, { status: 412 }],
  [{ 'if-match': '"64-a"', 'if-unmodified-since': before }, all],
  [{ 'if-unmodified-since': before }, { status: 412 }],
  [{ 'if-unmodified-since': at }, all],
  [{ 'if-range': '"64-a"', range }, part],
  [{ 'if-range': '"x"', range }, all],
  [{ 'if-range': 'W/"64-a"', range }, all],
  [{ 'if-range': at, range }, part],
  [{ 'if-range': before, range }, all],
  [{ 'if-range': after, range }, all],
  [{ 'if-range': 'soon', range }, all],
])('%o → %o', (headers, verdict) => {
  expect(judgeConditions(headers, file)).toEqual(verdict);
});
