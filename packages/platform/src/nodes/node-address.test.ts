import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { readNodeAddress } from './node-address.ts';

describe('the advertised address', () => {
  it.each([
    ['10.0.0.5:2444', '', { host: '10.0.0.5', port: 2444 }],
    ['[fd00::5]:2444', '', { host: 'fd00::5', port: 2444 }],
    ['2444', 'a.example', { port: 2444, host: 'a.example' }],
    ['0.0.0.0:2444', 'a.example:9', { host: 'a.example', port: 9 }],
    ['2444', '[fd00::7]:9', { host: 'fd00::7', port: 9 }],

    ['10.0.0.5:2444', '9', { host: '10.0.0.5', port: 9 }],
    ['off', '', undefined],
  ])('of CLUSTER_LISTEN=%s CLUSTER_ADVERTISE=%s', (listen, advertise, expected) => {
    expect(readNodeAddress(listen, advertise)).toEqual(expected);
  });

  it('defaults to an address of this machine', () => {
    expect(isIP(readNodeAddress('2444', '')?.host ?? '')).not.toBe(0);
  });

  it('is refused with the name of the variable', () => {
    expect(() => readNodeAddress('0', '')).toThrow('CLUSTER_LISTEN must have');
    expect(() => readNodeAddress('x:y', '')).toThrow('CLUSTER_LISTEN must be');
    expect(() => readNodeAddress('2444', 'a b:c:99999')).toThrow('CLUSTER_ADVERTISE must be');
  });
});
