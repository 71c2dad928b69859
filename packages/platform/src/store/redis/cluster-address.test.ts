import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { describe, expect, it } from 'vitest';
import { parseClusterAddress } from './cluster-address.ts';

describe('CLUSTER_URL', () => {
  it.each([
    ['redis://cache', { hosts: [{ host: 'cache', port: 6379 }], tls: false, shown: 'redis://cache' }],
    [
      'rediss://user:p%40ss%2F%3A@[2001:db8::1]:6380/3',
      {
        ...{ hosts: [{ host: '2001:db8::1', port: 6380 }], tls: true, database: 3 },
        ...{ username: 'user', password: 'p@ss/:', shown: 'rediss://[2001:db8::1]:6380/3' },
      },
    ],
    ['redis://:secret@10.0.0.1', { username: '', password: 'secret', shown: 'redis://10.0.0.1' }],
    [
      'redis://a:1,b:2',
      {
        hosts: [
          { host: 'a', port: 1 },
          { host: 'b', port: 2 },
        ],
        sentinel: undefined,
      },
    ],
    [
      'redis://:s@a,b:7/1?sentinel=main&sentinelPassword=q',
      {
        hosts: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 7 },
        ],
        ...{ sentinel: { name: 'main', password: 'q' }, database: 1, shown: 'redis://a,b:7/1?sentinel=main' },
      },
    ],
  ])('%s', (text, expected) => {
    expect(parseClusterAddress(text)).toMatchObject(expected);
  });

  it.each([
    ['http://cache', 'the address must have the form redis://host:port'],
    ['redis://', 'the address must have the form redis://host:port'],
    ['redis://a:0', '"a:0" does not have the form host:port'],
    ['redis://a:70000', '"a:70000" does not have the form host:port'],
    ['redis://a b', '"a b" does not have the form host:port'],
    ['redis://a,', '"" does not have the form host:port'],
    ['redis://a,b/1', 'a Redis Cluster supports only database 0'],
    ['redis://a?sentinel=', 'the parameter sentinel has no value'],
    ['redis://a?tls=1', 'the parameter tls is not known'],
    ['redis://:hunter%zz@a', 'user name or password is not percent-encoded'],
  ])('%s is refused', (text, why) => {
    const parse = () => parseClusterAddress(text);
    expect(parse).toThrow(StartRefusal);
    expect(parse).toThrow(why);
    expect(parse).not.toThrow('hunter');
  });
});
