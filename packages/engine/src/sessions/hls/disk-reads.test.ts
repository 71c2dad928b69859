import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { DiskReads } from './disk-reads.ts';

const opened: ServerResponse[] = [];
afterEach(() => {
  for (const response of opened.splice(0)) response.emit('close');
});

function open(): ServerResponse {
  const response = Object.assign(new EventEmitter(), { destroyed: false, socket: null }) as unknown as ServerResponse;
  opened.push(response);
  return response;
}

it('bounds the places of all addresses of one network, and of all networks', () => {
  const reads = new DiskReads({ maxReads: 3, maxPerAddress: 2 });
  const [first, second] = [open(), open()];
  expect([reads.begin(first, '2001:db8::1'), reads.begin(second, '2001:db8::2')]).toEqual([true, true]);
  expect(reads.begin(open(), '2001:db8::3')).toBe(false);
  expect(reads.begin(open(), '10.0.0.1')).toBe(true);
  expect(reads.begin(open(), '10.0.0.2')).toBe(false);
  first.emit('close');
  expect([reads.begin(open(), '2001:db8::3'), reads.count]).toEqual([true, 3]);
});
