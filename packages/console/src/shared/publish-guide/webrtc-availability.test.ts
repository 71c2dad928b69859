import { describe, expect, it } from 'vitest';
import { isLocalHost, type PageLocation, webrtcAvailability } from './webrtc-availability.ts';

const path = '/mgmt/en/routers-scenario';
const page = (address: string): PageLocation => new URL(`${path}?tab=live`, address);
const ready = { kind: 'ready' };
const noLocalhost = { kind: 'no-localhost' };
const httpsRequired = (httpsUrl?: string) => ({ kind: 'https-required', httpsUrl });

const bare = { candidate: false, platformDocker: false };
const docker = { candidate: false, platformDocker: true };
const withCandidate = { candidate: true, platformDocker: false };
const dockerWithCandidate = { candidate: true, platformDocker: true };
const withHttps = { ...bare, httpsPort: '2443' };

describe('WebRTC from this page', () => {
  it.each([
    // The browser and the server are on different computers.
    ['https://live.example.com', bare, ready, ready, true],
    ['https://10.0.0.7:2443', docker, ready, ready, true],
    ['http://10.0.0.7:2022', bare, httpsRequired(), ready, true],
    ['http://10.0.0.7:2022', docker, httpsRequired(), ready, true],
    ['http://10.0.0.7:2022', withHttps, httpsRequired(`https://10.0.0.7:2443${path}?tab=live`), ready, true],
    ['http://[fe80::1]:2022', withHttps, httpsRequired(`https://[fe80::1]:2443${path}?tab=live`), ready, true],
    ['http://live.example.com', withHttps, httpsRequired(`https://live.example.com${path}?tab=live`), ready, true],
    [
      'http://live.example.com:2022',
      { ...bare, httpsPort: '443' },
      httpsRequired(`https://live.example.com${path}?tab=live`),
      ready,
      true,
    ],
    // The browser and the server are on one computer.
    ['http://localhost:2022', bare, noLocalhost, noLocalhost, true],
    ['https://localhost:2443', bare, noLocalhost, noLocalhost, true],
    ['http://127.0.0.1:2022', bare, noLocalhost, noLocalhost, true],
    ['http://localhost:2022', docker, noLocalhost, noLocalhost, false],
    ['http://localhost:2022', withCandidate, ready, ready, true],
    ['http://localhost:2022', dockerWithCandidate, ready, ready, true],
  ] as const)('%s with %o', (address, environment, publish, program, play) => {
    expect(webrtcAvailability(page(address), environment)).toEqual({ publish, program, play });
  });

  it.each([
    ['?allow-lo-rtc=true', ready, true],
    ['?tab=live&allow-lo-rtc=true', ready, true],
    ['?allow-lo-rtc=false', noLocalhost, false],
    ['?allow-lo-rtc', noLocalhost, false],
  ] as const)('localhost in docker with %s', (search, publish, play) => {
    const location = {
      ...page('http://localhost:2022'),
      hostname: 'localhost',
      protocol: 'http:',
      port: '2022',
      search,
    };
    expect(webrtcAvailability(location, docker)).toMatchObject({ publish, play });
  });

  it('does not accept the localhost parameter instead of encryption', () => {
    const location = new URL(`${path}?allow-lo-rtc=true`, 'http://10.0.0.7:2022');
    expect(webrtcAvailability(location, bare).publish.kind).toBe('https-required');
  });
});

describe('this computer', () => {
  it.each(['localhost', 'LOCALHOST', 'a.localhost', '127.0.0.1', '127.1.2.3', '[::1]', '::1'])('%s is', (name) => {
    expect(isLocalHost(name)).toBe(true);
  });

  it.each(['localhost.example.com', 'mylocalhost', '128.0.0.1', '127.0.0.1.nip.io', '10.0.0.7', ''])(
    '%s is not',
    (name) => {
      expect(isLocalHost(name)).toBe(false);
    },
  );
});
