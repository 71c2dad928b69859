import { expect, it } from 'vitest';
import { parseTsAddress } from './ts-address.ts';

it.each([
  ['udp://:5000', { host: '0.0.0.0', port: 5000, isMulticast: false, isIpv6: false, senders: [] }],
  ['udp://@:5000', { host: '0.0.0.0', port: 5000 }],
  ['UDP://@239.1.1.1:1234', { host: '239.1.1.1', isMulticast: true, localAddress: undefined }],
  ['rtp://192.168.1.9@239.1.1.1:1234', { host: '239.1.1.1', senders: ['192.168.1.9'] }],
  ['udp://224.0.0.1:1?sources=10.0.0.1,10.0.0.2&localaddr=10.0.0.9', { senders: ['10.0.0.1', '10.0.0.2'] }],
  ['udp://@239.1.1.1:5000?pkt_size=1316&localaddr=10.0.0.9', { localAddress: '10.0.0.9' }],
  ['udp://192.168.1.2:5000/', { host: '192.168.1.2', isMulticast: false }],
  ['rtp://[FF05::1]:5000', { host: 'ff05::1', isMulticast: true, isIpv6: true }],
  ['udp://[fd00::5]@[::]:5000', { host: '::', isIpv6: true, isMulticast: false, senders: ['fd00::5'] }],
])('%s is read', (text, expected) => {
  expect(parseTsAddress(text)).toMatchObject(expected);
});

it.each([
  '',
  'udp://',
  'udp://@',
  'udp://:0',
  'udp://:65536',
  'udp://encoder:5000',
  'udp://256.0.0.1:5000',
  'udp://1.2.3:5000',
  'udp://1.2.3.4.:5000',
  'udp://[::]@239.1.1.1:5000',
  'udp://239.1.1.1:5000?sources=fd00::1',
  'udp://239.1.1.1:5000?sources=example.org',
  'udp://:5000?a b',
  'udp://:5000\r\n',
  `udp://:5000?sources=${Array.from({ length: 9 }, (_, n) => `10.0.0.${n}`).join()}`,
  'tcp://:5000',
])('%j is no address', (text) => {
  expect(parseTsAddress(text)).toBeUndefined();
});
