import { expect, test } from 'vitest';
import { calls } from './calls.ts';
import {
  maxQuickResponseLength,
  parseQuickLine,
  parseQuickQuestion,
  QuickLines,
  quickCallOfPath,
  quickCalls,
  writeQuickQuestion,
  writeQuickResponse,
} from './quick-calls.ts';

test('contains only calls that need a credential, each found by its path', () => {
  for (const name of quickCalls) {
    expect(calls[name].access, name).toBe('credential');
    expect(quickCallOfPath.get(calls[name].path)).toBe(name);
  }
});

test('requests and responses can be split anywhere in the byte stream', () => {
  const text = writeQuickQuestion(7, { call: 'status', bearer: 'a.b-c.d_é' }) + writeQuickResponse(8, '{"a":" \\n "}');
  const wire = new TextEncoder().encode(text);
  for (let size = 1; size <= wire.length; size += 1) {
    const lines = new QuickLines();
    const got: string[] = [];
    for (let at = 0; at < wire.length; at += size) got.push(...(lines.push(wire.slice(at, at + size)) ?? []));
    const [question, response] = got.map(parseQuickLine);
    expect(question?.number).toBe(7);
    expect(parseQuickQuestion(question?.rest ?? '')).toEqual({ call: 'status', bearer: 'a.b-c.d_é' });
    expect(response).toEqual({ number: 8, rest: '{"a":" \\n "}' });
  }
});

test('a response that is too long, or absent, requests a normal call', () => {
  for (const json of [undefined, 'x'.repeat(maxQuickResponseLength + 1)]) {
    expect(parseQuickLine(writeQuickResponse(3, json).trimEnd())).toEqual({ number: 3, rest: '' });
  }
});

test('a malformed request is rejected', () => {
  for (const rest of ['', 'status', 'statu x', 'statusx x', 'login x', 'toString x', ' status x']) {
    expect(parseQuickQuestion(rest), rest).toBeUndefined();
  }
  expect(parseQuickQuestion('status ')).toEqual({ call: 'status', bearer: '' });
});

test('an endless line is rejected before it consumes memory', () => {
  const lines = new QuickLines();
  expect(lines.push(new Uint8Array(maxQuickResponseLength).fill(0x20))).toEqual([]);
  expect(lines.push(new Uint8Array(100).fill(0x20))).toBeUndefined();
});
