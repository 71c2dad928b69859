import { expect, test } from 'vitest';
import { createSseParser, type SseMessage } from './sse-parser.ts';

function read(...pieces: string[]): SseMessage[] {
  const parse = createSseParser();
  return pieces.flatMap(parse);
}

const text =
  'retry: 2000\n\nevent: happened\nid: 7\ndata: {"a":1}\n\n: still here\n\ndata: first\ndata: second\n\nevent: lonely\n\n';
const messages = [
  { event: 'happened', data: '{"a":1}', id: '7' },
  { event: 'message', data: 'first\nsecond', id: '7' },
];

test('fields, comments and several data lines are parsed; an id applies until the next one', () => {
  expect(read(text)).toEqual(messages);
});

test('the result is the same however the text is split', () => {
  for (let at = 0; at <= text.length; at++) expect(read(text.slice(0, at), text.slice(at))).toEqual(messages);
  expect(read(...text)).toEqual(messages);
});

test('every line ending is accepted, also CRLF split in the middle', () => {
  const windows = text.replaceAll('\n', '\r\n');
  expect(read(windows)).toEqual(messages);
  expect(read(...windows)).toEqual(messages);
});

test('a line that never ends is refused before memory fills', () => {
  const parse = createSseParser();
  expect(() => {
    for (let count = 0; count < 100; count++) parse('x'.repeat(20_000));
  }).toThrow(/is too long/);
});
