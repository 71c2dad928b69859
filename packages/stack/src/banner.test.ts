import { expect, test } from 'vitest';
import { type BannerFacts, bannerText, reachableAddresses } from './banner.ts';

const everywhere = {
  http: undefined,
  https: undefined,
  rtmp: undefined,
  rtmps: undefined,
  rtsp: undefined,
  rtsps: undefined,
  srt: undefined,
  rtc: undefined,
};
const facts: BannerFacts = {
  version: '0.1.0',
  hosts: everywhere,
  ports: { pid: 1, http: 2022, https: 2443, rtmp: 1935, srt: null, rtc: null, srsApi: 1985 },
  dataDir: '/srv/data',
  gateways: 1,
  addresses: ['192.0.2.7'],
  passwordSet: true,
  setupTokenSet: false,
  startedInMs: 812,
};

test('prints the console addresses, bound ports and data folder', () => {
  const text = bannerText(facts);
  expect(text).toContain('http://localhost:2022/mgmt');
  expect(text).toContain('https://localhost:2443/mgmt');
  expect(text).toContain('http://192.0.2.7:2022/mgmt');
  expect(text).toMatch(/Publish RTMP\s+port 1935\/tcp/);
  expect(text).toContain('/srv/data');
});

test('omits listeners that are off', () => {
  expect(bannerText(facts)).not.toMatch(/SRT|WebRTC|null/);
  expect(bannerText({ ...facts, ports: { ...facts.ports, srt: 10_080 } })).toMatch(/Publish SRT\s+port 10080\/udp/);
});

test('names only addresses that are bound', () => {
  const ports = {
    pid: 1,
    http: 2022,
    https: 2443,
    rtmp: 1935,
    rtmps: 1936,
    rtsp: undefined,
    srt: 10080,
    rtc: 8000,
    srsApi: 1985,
  };
  const hosts = {
    http: '127.0.0.1',
    https: '[::1]',
    rtmp: '10.0.0.1',
    rtmps: '10.0.0.3',
    rtsp: undefined,
    rtsps: undefined,
    srt: undefined,
    rtc: '10.0.0.2',
  };
  const text = bannerText({ ...facts, ports, hosts });
  expect(text).toContain('http://127.0.0.1:2022/mgmt');
  expect(text).toContain('https://[::1]:2443/mgmt');
  expect(text).toMatch(/Publish RTMP\s+10\.0\.0\.1:1935\/tcp/);
  expect(text).toMatch(/Publish RTMPS\s+10\.0\.0\.3:1936\/tcp/);
  expect(text).toMatch(/Publish SRT\s+port 10080\/udp/);
  expect(text).toMatch(/WebRTC\s+10\.0\.0\.2:8000\/udp/);
  expect(text).not.toMatch(/localhost|192\.0\.2\.7/);
});

test('names the ports of all gateways', () => {
  const ports = { ...facts.ports, rtc: 8000 };
  expect(bannerText({ ...facts, ports, gateways: 4 })).toMatch(/WebRTC\s+port 8000-8003\/udp/);
});

test('reports an unavailable SRS, whose ports are not bound then', () => {
  const text = bannerText({ ...facts, absentMediaServer: '127.0.0.1:1985' });
  expect(text).toContain('The external media server (SRS) does not respond at 127.0.0.1:1985');
  expect(text).not.toMatch(/Publish|WebRTC/);
  expect(bannerText(facts)).not.toContain('does not respond');
});

test('warns while anyone can set the password', () => {
  expect(bannerText(facts)).not.toContain('password');
  expect(bannerText({ ...facts, passwordSet: false })).toContain('anyone who reaches the console can set it');
  expect(bannerText({ ...facts, passwordSet: false, setupTokenSet: true })).toContain('setup token');
});

test('lists IPv4 addresses that other machines can reach', () => {
  const base = { netmask: '', mac: '', cidr: null };
  expect(
    reachableAddresses({
      lo: [{ ...base, address: '127.0.0.1', family: 'IPv4', internal: true }],
      eth0: [
        { ...base, address: '192.0.2.7', family: 'IPv4', internal: false },
        { ...base, address: 'fe80::1', family: 'IPv6', internal: false, scopeid: 2 },
      ],
    }),
  ).toEqual(['192.0.2.7']);
});
