import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { findAbsentMediaServer } from './readiness.ts';

const absent = '127.0.0.1:9';
const find = (SRS_API_SERVER: string) =>
  findAbsentMediaServer({ MEDIA_SERVER: 'srs', SRS_API_SERVER }, AbortSignal.timeout(10_000));

test('SRS servers are reported as absent when none responds', async () => {
  const server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const living = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await find(absent)).toBe(absent);
  expect(await find(`${absent},[::1]:9`)).toBe(`${absent}, [::1]:9`);
  expect(await find(`${absent} ${living}`)).toBeUndefined();
  expect(await findAbsentMediaServer({}, AbortSignal.timeout(1_000))).toBeUndefined();
});
