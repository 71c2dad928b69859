import { describe, expect, it } from 'vitest';
import { createWebrtcAddresses, privateIpv4, type WebrtcAddressSettings } from './webrtc-addresses.ts';

const settings: WebrtcAddressSettings = { candidates: [], usesNameLookup: true, isInContainer: false, shownPort: 0 };
const whip = '/rtc/v1/whip/?app=live&stream=s';

async function eipOf(url: string, host: string, overrides: Partial<WebrtcAddressSettings> = {}, realHost?: string) {
  const lookup = async (name: string) => ({ 'live.example': '203.0.113.7', server: 'own' })[name];
  const named = await createWebrtcAddresses({ ...settings, ...overrides }, lookup)(url, host, realHost);
  return new URL(named, 'http://x').searchParams.get('eip');
}

describe('addresses of a WebRTC answer', () => {
  it.each([
    ['the address of the request itself', `${whip}&eip=12.34.56.78`, '10.0.0.1:2022', {}, undefined, '12.34.56.78'],
    ['the host of the page', whip, '203.0.113.9:2022', {}, undefined, '203.0.113.9'],
    ['an IPv6 host', whip, '[2001:db8::1]:2022', {}, undefined, '2001:db8::1'],
    ['the host behind a proxy', whip, 'internal:80', {}, '12.34.56.78', '12.34.56.78'],
    ['nothing without name lookup', whip, '203.0.113.9', { usesNameLookup: false }, undefined, null],
    ['loopback in a container', whip, 'localhost:2022', { isInContainer: true }, undefined, '127.0.0.1'],
    [
      'the configured address in a container',
      whip,
      'localhost',
      { isInContainer: true, candidates: ['198.51.100.1'] },
      undefined,
      '198.51.100.1',
    ],
    ['the mapped port', whip, '203.0.113.9', { shownPort: 18000 }, undefined, '203.0.113.9:18000'],
    ['the address of a name', whip, 'live.example:2022', {}, undefined, '203.0.113.7'],
    ['nothing for a call without an offer', '/rtc/v1/other/?a=b', 'live.example:2022', {}, undefined, null],
    ["nothing for the machine's own name in a container", whip, 'server', { isInContainer: true }, undefined, null],
    ['nothing for an unknown name', whip, 'name.invalid', {}, undefined, null],
  ])('%s', async (_name, url, host, overrides, realHost, expected) => {
    expect(await eipOf(url, host, overrides, realHost)).toBe(expected);
  });

  it('prefers wired interfaces', () => {
    const entry = (address: string, internal = false) => [
      { address, internal, family: 'IPv4' as const, netmask: '', mac: '', cidr: null },
    ];
    const interfaces = { lo: entry('127.0.0.1', true), docker0: entry('172.17.0.1'), eth0: entry('10.0.0.5') };
    expect(privateIpv4(interfaces)).toBe('10.0.0.5');
    expect(privateIpv4({ lo: entry('127.0.0.1', true) })).toBeUndefined();
  });
});
