import { expect, test } from 'vitest';
import { listenHosts } from './listen-hosts.ts';

test.each([
  ['2022', undefined],
  [':2022', undefined],
  ['0.0.0.0:2022', undefined],
  ['[::]:2022', undefined],
  ['off', undefined],
  ['127.0.0.1:2022', '127.0.0.1'],
  [' 192.0.2.7:0 ', '192.0.2.7'],
  ['[::1]:2022', '[::1]'],
  ['console.lan:2022', 'console.lan'],
])('%j is bound to %s', (listen, host) => {
  expect(listenHosts({ MGMT_LISTEN: listen }).http).toBe(host);
});

test('each listener has its own host', () => {
  const environment = {
    HTTPS_LISTEN: '[::1]:0',
    RTMP_LISTEN: '10.0.0.1:1935',
    SRT_LISTEN: '10.0.0.2:1',
    RTC_LISTEN: '8000',
  };
  expect(listenHosts(environment)).toEqual({
    http: undefined,
    https: '[::1]',
    rtmp: '10.0.0.1',
    rtmps: undefined,
    srt: '10.0.0.2',
    rtc: undefined,
  });
});
