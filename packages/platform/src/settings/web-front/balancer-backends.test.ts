import { expect, test } from 'vitest';
import { parseBackends, standInServers } from './balancer-backends.ts';

const origin = 'http://live.example.com:2022';
const node = (host?: string) => ({ address: host === undefined ? null : { host } });

test('the nodes of a cluster stand in for servers that nobody entered', () => {
  const nodes = [node('10.0.0.5'), node('10.0.0.6'), node(), node('2001:db8::7')];
  expect(standInServers(nodes, origin)).toEqual(['10.0.0.5', '10.0.0.6', '2001:db8::7']);
  expect(parseBackends(standInServers(nodes, origin), 2022).map(({ host }) => host)).toContain('[2001:db8::7]');
});

test('a server alone stands in by the address of the call', () => {
  for (const nodes of [[], [node()], [node('10.0.0.5')], [node('10.0.0.5'), node('10.0.0.5')]])
    expect(standInServers(nodes, origin)).toEqual([origin]);
});
