import { expect, test } from 'vitest';
import { parseBackends, standInServers } from './balancer-backends.ts';

const origin = 'http://live.example.com:2022';
const node = (host?: string) => ({ address: host === undefined ? null : { host } });

test('the nodes of a cluster are the default backends', () => {
  const nodes = [node('10.0.0.5'), node('10.0.0.6'), node(), node('2001:db8::7')];
  expect(standInServers(nodes, origin)).toEqual(['10.0.0.5', '10.0.0.6', '2001:db8::7']);
  expect(parseBackends(standInServers(nodes, origin), 2022).map(({ host }) => host)).toContain('[2001:db8::7]');
});

test('a single server is the default backend, by the address of the request', () => {
  for (const nodes of [[], [node()], [node('10.0.0.5')], [node('10.0.0.5'), node('10.0.0.5')]])
    expect(standInServers(nodes, origin)).toEqual([origin]);
});
