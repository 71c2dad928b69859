// Limits, upgrade window, web server, load balancer, components and the administrator's key: every call, its refusals, and its stored
// settings after a restart.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EndpointName } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { srsStream } from '../src/testing/media-server-double.ts';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
});
afterEach(() => platform.dispose());

const data = async (...args: Parameters<TestPlatform['call']>) => (await platform.call(...args)).body.data;
const refusal = async (name: EndpointName, body: object) => {
  const response = await platform.call(name, body);
  return response.status === 200 ? '' : response.body.data.name;
};
const frontFile = async () => JSON.parse(await readFile(join(platform.dataDir, 'config', 'front.json'), 'utf8'));

describe('two operators who save simultaneously', () => {
  const pairs: [EndpointName, EndpointName, (seen: Record<string, unknown>, value: number) => object][] = [
    ['queryUsageLimit', 'updateUsageLimit', (_seen, value) => ({ totalHours: value })],
    ['queryUpgradeWindow', 'updateUpgradeWindow', (_seen, value) => ({ start: `0${value}:00`, end: '12:00' })],
    ['queryHomepage', 'updateHomepage', (_seen, value) => ({ homepage: `/tools/${value}` })],
    [
      'queryProxyLocations',
      'updateProxyLocations',
      (_seen, value) => ({ locations: [{ location: `/p${value}`, backend: 'http://10.0.0.1' }] }),
    ],
    ['queryLoadBalancer', 'updateLoadBalancer', (_seen, value) => ({ backends: [`10.0.0.${value}`] })],
    ['queryLimits', 'updateLimits', (_seen, value) => ({ vlive: value, camera: value })],
    ['queryPublishSecret', 'updatePublishSecret', (_seen, value) => ({ secret: `secret-${value}` })],
    ['queryPublishSecret', 'disablePublishSecret', (seen) => ({ pubNoAuth: !seen.pubNoAuth })],
    ['queryHighPerformanceHls', 'updateHighPerformanceHls', (seen) => ({ noHlsCtx: !seen.noHlsCtx })],
    ['queryLowLatencyHls', 'updateLowLatencyHls', (seen) => ({ hlsLowLatency: !seen.hlsLowLatency })],
  ];

  it.each(pairs)('%s and %s: the second gets a conflict and changes nothing', async (query, update, change) => {
    const seen = await data(query);
    expect(await refusal(update, { ...change(seen, 1), revision: seen.revision })).toBe('');
    const afterFirst = await data(query);
    expect(await refusal(update, { ...change(seen, 2), revision: seen.revision })).toBe('settingsChanged');
    expect(await data(query)).toEqual(afterFirst);
    expect(await refusal(update, { ...change(afterFirst, 3), revision: afterFirst.revision })).toBe('');
    expect(await refusal(update, change(await data(query), 4))).toBe('');
  });

  it('texts of the page are compared with the shown version', async () => {
    expect(await refusal('updateBeian', { beian: 'title', text: 'mine', previous: '' })).toBe('');
    expect(await refusal('updateBeian', { beian: 'title', text: 'theirs', previous: '' })).toBe('settingsChanged');
    expect(await data('queryBeian')).toEqual({ title: 'mine' });
  });

  it('certificates are compared with the one in use', async () => {
    const seen = (await data('queryCertificateStatus')).certificate?.fingerprint ?? '';
    const make = { replace: true, replaces: seen };
    expect(await refusal('createSelfSignedCertificate', make)).toBe('');
    expect(await refusal('createSelfSignedCertificate', make)).toBe('settingsChanged');
    expect(await refusal('requestLetsEncrypt', { domain: 'live.example.com', replaces: seen })).toBe('settingsChanged');
    const pair = await data('queryCertificate');
    expect(await refusal('updateCertificate', { key: pair.key, crt: pair.crt, replaces: seen })).toBe(
      'settingsChanged',
    );
  });
});

describe('streaming hours', () => {
  const hour = 3_600_000;
  const event = (action: string, stream: string, client_id: string) =>
    platform.call(
      'verifyStream',
      { action, app: 'live', stream, client_id, vhost: '__defaultVhost__', param: `?secret=${secret}` },
      { 'x-callback-secret': testCallbackSecret },
    );
  let secret: string;
  beforeEach(async () => {
    secret = (await data('queryPublishSecret')).publish;
  });
  const publish = async (stream: string, client: string) => {
    const response = await event('on_publish', stream, client);
    if (response.status === 200) platform.mediaServer.streams.push(srsStream(stream, client));
    return response;
  };
  const unpublish = (stream: string, client: string) => {
    platform.mediaServer.streams = platform.mediaServer.streams.filter(
      (each) => !JSON.stringify(each).includes(client),
    );
    return event('on_unpublish', stream, client);
  };
  const consumed = async () => (await data('queryUsageLimit')).consumedSeconds;

  it('are counted while streams are live, are added, end with the stream, and survive a restart', async () => {
    expect(await data('queryUsageLimit')).toMatchObject({ totalHours: null, consumedSeconds: 0, isExhausted: false });
    await publish('a', 'c1');
    platform.clock.nowMs += hour;
    expect(await consumed()).toBe(3600);
    await publish('b', 'c2');
    platform.clock.nowMs += hour;
    expect(await data('queryUsageLimit')).toMatchObject({ consumedSeconds: 3 * 3600, liveStreams: 2 });
    platform.clock.nowMs += hour / 2;
    await unpublish('b', 'c2');
    expect(await data('queryUsageLimit')).toMatchObject({ consumedSeconds: 4 * 3600, liveStreams: 1 });
    platform = await platform.reopen();
    platform.clock.nowMs += hour / 2;
    expect(await consumed()).toBe(4 * 3600 + 1800);
    await unpublish('a', 'c1');
    platform.clock.nowMs += 10 * hour;
    expect(await consumed()).toBe(4 * 3600 + 1800);
  });

  it('count nothing for streams that ended while the machine was off', async () => {
    await publish('a', 'c1');
    platform.clock.nowMs += hour;
    expect(await consumed()).toBe(3600);
    platform.mediaServer.streams = [];
    platform.clock.nowMs += 100 * hour;
    platform = await platform.reopen();
    expect(await consumed()).toBe(3600);
  });

  it('are counted from zero each month', async () => {
    const today = new Date(platform.clock.nowMs);
    const startDate = `2026-01-${String(today.getDate()).padStart(2, '0')}`;
    await platform.call('updateUsageLimit', { totalHours: null, startDate });
    const { periodEnd } = await data('queryUsageLimit');
    platform.clock.nowMs = Date.parse(periodEnd) - hour;
    await publish('a', 'c1');
    platform.clock.nowMs += 3 * hour;
    expect(await data('queryUsageLimit')).toMatchObject({ consumedSeconds: 2 * 3600, periodStart: periodEnd });
  });

  it('refuse new publishers when used up, and keep running ones', async () => {
    await platform.call('updateUsageLimit', { totalHours: 1 });
    await publish('a', 'c1');
    platform.clock.nowMs += hour;
    const refused = await publish('b', 'c2');
    expect(refused).toMatchObject({ status: 403, body: { code: 4024, data: { name: 'usageLimitReached' } } });
    expect((await data('queryStreams')).streams.map(({ stream }: { stream: string }) => stream)).toEqual(['a']);
    expect((await data('queryUsageLimit')).isExhausted).toBe(true);
    await platform.call('updateUsageLimit', { totalHours: 1.5 });
    expect((await publish('b', 'c2')).status).toBe(200);
  });

  it('refuse an invalid limit', async () => {
    for (const totalHours of [0, -1, '5', 1e9, undefined])
      expect(await refusal('updateUsageLimit', { totalHours }), String(totalHours)).toBe('invalidRequest');
    for (const startDate of ['', 'today', '2026-02-30', '2026-1-1'])
      expect(await refusal('updateUsageLimit', { totalHours: 1, startDate }), startDate).toBe('invalidRequest');
  });
});

describe('upgrade window', () => {
  it('is at least three hours long, may include midnight, and reports whether it is open', async () => {
    for (const [start, end] of [
      ['01:00', '03:59'],
      ['22:30', '01:00'],
      ['05:00', '05:00'],
    ])
      expect(await refusal('updateUpgradeWindow', { start, end })).toBe('upgradeWindowTooShort');
    for (const start of ['24:00', '1:00', '', '01:60'])
      expect(await refusal('updateUpgradeWindow', { start, end: '12:00' })).toBe('invalidRequest');
    const local = new Date(platform.clock.nowMs);
    const at = (offset: number) => `${String((local.getHours() + offset + 24) % 24).padStart(2, '0')}:00`;
    expect(await refusal('updateUpgradeWindow', { start: at(-1), end: at(2) })).toBe('');
    expect(await data('queryUpgradeWindow')).toMatchObject({ start: at(-1), end: at(2), isOpen: true, liveStreams: 0 });
    expect(await refusal('updateUpgradeWindow', { start: at(2), end: at(6) })).toBe('');
    platform = await platform.reopen();
    const { isOpen, opensAt } = await data('queryUpgradeWindow');
    expect(isOpen).toBe(false);
    expect(Date.parse(opensAt)).toBeGreaterThan(platform.clock.nowMs);
  });
});

describe('home page and proxied paths', () => {
  it('are written for the gateway immediately and again at the next start', async () => {
    await platform.modules.settings.applyFront();
    expect(await frontFile()).toEqual({ home: '/mgmt', locations: [], off: [], initialised: false });
    expect((await platform.call('init', { password: 'first-password' })).status).toBe(200);
    expect(await frontFile()).toMatchObject({ initialised: true });
    await platform.call('updateHomepage', { homepage: ' /tools/player.html?url=/live/a.flv ' });
    await platform.call('updateProxyLocations', {
      locations: [{ location: '/shop/', backend: 'http://10.0.0.5:8080' }],
    });
    const written = {
      home: '/tools/player.html?url=/live/a.flv',
      locations: [{ location: '/shop', backend: 'http://10.0.0.5:8080' }],
      off: [],
      initialised: true,
    };
    expect(await frontFile()).toEqual(written);
    await rm(join(platform.dataDir, 'config', 'front.json'));
    platform = await platform.reopen();
    await platform.modules.settings.applyFront();
    expect(await frontFile()).toEqual(written);
    expect((await data('queryHomepage')).homepage).toBe(written.home);
    expect((await data('queryProxyLocations')).locations).toEqual(written.locations);
  });

  it.each([
    '',
    '/',
    'mgmt',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'ftp://a',
    '/a b',
    '/a\nSet-Cookie: x',
    'https://u:p@a',
  ])('home page %j is refused', async (homepage) => {
    expect(await refusal('updateHomepage', { homepage })).toBe('homepageInvalid');
  });

  it('may be on another server', async () => {
    expect(await refusal('updateHomepage', { homepage: 'https://www.example.com/live' })).toBe('');
  });

  it.each([
    ['', 'http://a'],
    ['shop', 'http://a'],
    ['/', 'http://a'],
    ['/terraform', 'http://a'],
    ['/MGMT/x', 'http://a'],
    ['/api', 'http://a'],
    ['/rtc/v1', 'http://a'],
    ['/live', 'http://a'],
    ['/.well-known/x', 'http://a'],
    ['/a/../mgmt', 'http://a'],
    ['/a%2f', 'http://a'],
    ['/a b', 'http://a'],
    ['/x/y.flv', 'http://a'],
  ])('location %j is refused', async (location, backend) => {
    expect(await refusal('updateProxyLocations', { locations: [{ location, backend }] })).toBe('proxyLocationInvalid');
  });

  it('a backend must not be a source of credentials, this server itself, or anything but a web server', async () => {
    await mkdir(join(platform.dataDir, 'run'), { recursive: true });
    await writeFile(
      join(platform.dataDir, 'run', 'ports.json'),
      '{"pid":1,"http":42022,"https":42443,"rtmp":41935,"srt":null,"rtc":null,"srsApi":41985}',
    );
    for (const backend of [
      '',
      'a',
      'ftp://a',
      'http://',
      'http://a b',
      'http://u:p@a',
      'http://a?x=1',
      'http://169.254.169.254/latest',
      'http://[fe80::1]',
      'http://[::ffff:169.254.169.254]',
      'http://0.0.0.0:8080',
      'http://127.0.0.1:41985',
      'http://localhost:42022',
      'https://[::1]:42443',
      `http://127.0.0.1:${platform.mediaServer.port}`,
    ])
      expect(await refusal('updateProxyLocations', { locations: [{ location: '/a', backend }] }), backend).toBe(
        'backendInvalid',
      );
    const twice = [
      { location: '/a', backend: 'http://b' },
      { location: '/a/', backend: 'http://c' },
    ];
    expect(await refusal('updateProxyLocations', { locations: twice })).toBe('proxyLocationInvalid');
    const many = Array.from({ length: 51 }, (_, at) => ({ location: `/p${at}`, backend: 'http://b' }));
    expect(await refusal('updateProxyLocations', { locations: many })).toBe('invalidRequest');
    expect((await data('queryProxyLocations')).locations).toEqual([]);
  });
});

describe('load balancer', () => {
  it('accepts only addresses and domains, with or without protocol and port', async () => {
    for (const backends of [
      [],
      [''],
      ['a b'],
      ['256.1.1.1'],
      ['1.2.3'],
      ['-a.example'],
      ['ftp://a'],
      ['http://a/path'],
      ['a:0'],
      ['a:70000'],
      ['a;}'],
      ['a', 'a:2022'],
      ['http://a', 'https://b'],
    ])
      expect(await refusal('updateLoadBalancer', { backends }), String(backends)).toBe('backendInvalid');
    const backends = ['10.0.0.5', '10.0.0.6:8080', '[2001:db8::1]', 'live.example.com'];
    expect(await refusal('updateLoadBalancer', { backends })).toBe('');
    const { configurations } = await data('queryLoadBalancer');
    for (const { text } of configurations)
      for (const name of ['10.0.0.5:2022', '10.0.0.6:8080', '[2001:db8::1]:2022', 'live.example.com:2022'])
        expect(text).toContain(name);
  });

  it('uses the address of the call while none is set', async () => {
    const ask = (host: string) =>
      platform.call('queryLoadBalancer', {}, { authorization: 'Bearer srs-v2-test', 'x-forwarded-host': host });
    expect((await ask('live.example.com:2022')).body.data.configurations[0].text).toContain('live.example.com:2022');
    expect((await ask('a;b{}')).body.data.configurations[0].text).toContain('127.0.0.1:2022');
  });

  it.each([
    ['http', ['127.0.0.1:2022', '10.0.0.6:8080', '[::1]:2022']],
    ['https', ['https://127.0.0.1:2443', 'https://10.0.0.6']],
  ])('generates configurations that nginx and HAProxy accept, with %s backends', async (_name, backends) => {
    expect(await refusal('updateLoadBalancer', { backends })).toBe('');
    const { configurations } = await data('queryLoadBalancer');
    const folder = await mkdtemp(join(tmpdir(), 'srs-balancer-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const { program, fileName, text } of configurations) {
      const file = join(folder, `${program}-${fileName}`);
      // `nginx -t` creates the cache folder, so the test uses a temporary folder instead.
      await writeFile(file, text.replace('/var/cache/nginx', folder));
      if (program.startsWith('nginx')) {
        const globals = `pid ${folder}/nginx.pid; error_log stderr;`;
        execFileSync('/usr/sbin/nginx', ['-t', '-e', 'stderr', '-g', globals, '-c', file], { stdio: 'pipe' });
      }
      if (program === 'haproxy') execFileSync('/usr/sbin/haproxy', ['-c', '-f', file], { stdio: 'pipe' });
    }
    expect(configurations.map(({ program }: { program: string }) => program)).toContain('caddy');
  });
});

describe('components', () => {
  const stateOf = async (name: string) =>
    (await data('queryComponents')).components.find((each: { name: string }) => each.name === name);

  it('are switched off permanently and on again; the gateway receives the protocols', async () => {
    expect(await stateOf('srt')).toMatchObject({ state: 'running', enabled: true });
    expect(await refusal('updateComponent', { name: 'srt', enabled: false })).toBe('');
    expect(await refusal('updateComponent', { name: 'forward', enabled: false })).toBe('');
    expect(await frontFile()).toMatchObject({ off: ['srt'] });
    platform = await platform.reopen();
    await platform.modules.settings.applyFront();
    expect(await frontFile()).toMatchObject({ off: ['srt'] });
    expect(await stateOf('srt')).toMatchObject({ state: 'off', enabled: false });
    expect(await stateOf('forward')).toEqual({ name: 'forward', state: 'off', enabled: false });
    for (const name of ['srt', 'forward']) expect(await refusal('updateComponent', { name, enabled: true })).toBe('');
    expect(await frontFile()).toMatchObject({ off: [] });
    expect(await stateOf('forward')).toMatchObject({ state: 'running' });
    for (const body of [{}, { name: 'x', enabled: true }, { name: 'srt' }, { name: 'srt', enabled: 'no' }])
      expect(await refusal('updateComponent', body)).toBe('invalidRequest');
  });

  it('HLS is switched off by the configuration of the media server, and stays on when that does not respond', async () => {
    const config = () => readFile(join(platform.dataDir, 'config', 'srs.vhost.conf'), 'utf8');
    expect(await refusal('updateComponent', { name: 'hls', enabled: false })).toBe('');
    expect(await config()).toContain('    enabled off;');
    platform = await platform.reopen();
    await platform.modules.hls.apply();
    expect(await config()).toContain('    enabled off;');
    platform.mediaServer.reloadCode = 1061;
    expect(await refusal('updateComponent', { name: 'hls', enabled: true })).toBe('mediaServerUnreachable');
    expect(await stateOf('hls')).toMatchObject({ state: 'off' });
    expect(await config()).toContain('    enabled off;');
    platform.mediaServer.reloadCode = 0;
    expect(await refusal('updateComponent', { name: 'hls', enabled: true })).toBe('');
    expect(await config()).toContain('    enabled on;');
  });

  it('report the listeners, and those disabled by the environment', async () => {
    await mkdir(join(platform.dataDir, 'run'), { recursive: true });
    await writeFile(
      join(platform.dataDir, 'run', 'ports.json'),
      `{"pid":1,"http":42022,"https":42443,"rtmp":41935,"srt":null,"rtc":48000,"srsApi":${platform.mediaServer.port}}`,
    );
    expect(await stateOf('rtmp')).toMatchObject({ state: 'running', port: 41935 });
    expect(await stateOf('srt')).toEqual({ name: 'srt', state: 'absent', enabled: true });
    expect(await stateOf('webrtc')).toMatchObject({ port: 48000 });
  });

  it('with an SRS, its protocols are not managed here', async () => {
    platform = await platform.reopen({ MEDIA_SERVER: 'srs', SRS_API_SERVER: `127.0.0.1:${platform.mediaServer.port}` });
    expect(await stateOf('rtmp')).toEqual({ name: 'rtmp', state: 'foreign', enabled: true });
    expect(await refusal('updateComponent', { name: 'rtmp', enabled: false })).toBe('componentForeign');
    expect(await refusal('updateComponent', { name: 'hls', enabled: false })).toBe('');
    expect(await refusal('updateComponent', { name: 'record', enabled: false })).toBe('');
    expect((await data('queryComponents')).mediaServer).toMatchObject({
      engine: 'srs',
      api: `127.0.0.1:${platform.mediaServer.port}`,
    });
  });

  it('report that the media server is down', async () => {
    await platform.mediaServer.close();
    expect((await data('queryComponents')).mediaServer).toMatchObject({ isUp: false, version: '', abilities: [] });
  });
});

describe('the administrator’s SSH key', () => {
  const ours = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEf1wIIP7i/i9oVCkGs/Tk3tPvTZQv7DQQTCOY24wNU8 admin@platform';
  const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBSWh9c5t0n8bYHZ5p7mRM0jAWc3hL3gX8LkJ0pQ9sZr me@home';
  let file: string;
  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'srs-keys-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    file = join(folder, 'authorized_keys');
  });
  const open = async () => {
    platform = await platform.reopen({ AUTHORIZED_KEYS_FILE: file });
  };
  const text = () => readFile(file, 'utf8');

  it('is off while no file is configured', async () => {
    expect(await data('queryAdminKey')).toMatchObject({ file: '', key: '', granted: false, problem: '' });
    expect(await refusal('updateAdminKey', { key: ours, enable: true })).toBe('keyFileNotConfigured');
  });

  it('is added and removed; every other byte of the file stays', async () => {
    const before = `# keys\r\n\ncommand="echo hi" ${other}\n  # last, without a newline: ${ours}\n${other.replace('me', 'x')}`;
    await writeFile(file, before, { mode: 0o640 });
    await open();
    expect(await data('queryAdminKey')).toMatchObject({ file, granted: false, otherKeys: 2 });
    expect(await refusal('updateAdminKey', { key: `  ${ours}\n`, enable: true })).toBe('');
    expect(await text()).toBe(`${before}\n${ours}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    const granted = await data('queryAdminKey');
    expect(granted).toMatchObject({ key: ours, granted: true, otherKeys: 2 });
    expect(granted.fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
    expect(await refusal('updateAdminKey', { key: ours, enable: true })).toBe('');
    expect(await text()).toBe(`${before}\n${ours}\n`);
    await platform.reopen({ AUTHORIZED_KEYS_FILE: file }).then((next) => {
      platform = next;
    });
    expect(await refusal('updateAdminKey', { enable: false })).toBe('');
    expect(await text()).toBe(`${before}\n`);
    expect(await data('queryAdminKey')).toMatchObject({ key: ours, granted: false, otherKeys: 2 });
    expect(await refusal('updateAdminKey', { enable: false })).toBe('');
  });

  it('a new key replaces only the previous one', async () => {
    await open();
    expect(await refusal('updateAdminKey', { key: ours, enable: true })).toBe('');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const seen = await data('queryAdminKey');
    expect(await refusal('updateAdminKey', { key: other, enable: true, revision: seen.revision })).toBe('');
    expect(await text()).toBe(`${other}\n`);
    expect(await refusal('updateAdminKey', { key: ours, enable: true, revision: seen.revision })).toBe(
      'settingsChanged',
    );
  });

  it('a manually changed file takes precedence', async () => {
    await open();
    await refusal('updateAdminKey', { key: ours, enable: true });
    await writeFile(file, `${other}\n`);
    expect(await data('queryAdminKey')).toMatchObject({ key: ours, granted: false, otherKeys: 1 });
  });

  it('a link stays a link; its target is changed', async () => {
    const real = `${file}.real`;
    await writeFile(real, `${other}\n`);
    await symlink(real, file);
    await open();
    expect(await refusal('updateAdminKey', { key: ours, enable: true })).toBe('');
    expect(await realpath(file)).toBe(await realpath(real));
    expect(await readFile(real, 'utf8')).toBe(`${other}\n${ours}\n`);
  });

  it('a file that contains no keys is never changed', async () => {
    await mkdir(file);
    await open();
    expect((await data('queryAdminKey')).problem).not.toBe('');
    expect(await refusal('updateAdminKey', { key: ours, enable: true })).toBe('keyFileUnusable');
    await rm(file, { recursive: true });
    const binary = Buffer.from([0xff, 0x00, 0xfe, 0x80]);
    await writeFile(file, binary);
    expect(await refusal('updateAdminKey', { key: ours, enable: true })).toBe('keyFileUnusable');
    expect(await readFile(file)).toEqual(binary);
    await rm(file);
    const away = await platform.reopen({ AUTHORIZED_KEYS_FILE: join(file, 'no', 'folder') });
    platform = away;
    expect(await refusal('updateAdminKey', { key: ours, enable: true })).toBe('keyFileUnusable');
    await chmod(platform.dataDir, 0o700);
  });

  it.each([
    '',
    'hello',
    ours.replace('ssh-ed25519', 'ssh-dss'),
    ours.replace('ssh-ed25519 ', 'ssh-rsa '),
    ours.slice(0, 40),
    `command="sh" ${ours}`,
    `${ours}\n${other}`,
    `${ours} "quote"`,
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    `ssh-rsa ${Buffer.concat([field('ssh-rsa'), field(Buffer.from([1, 0, 1])), field(Buffer.alloc(128, 0xff))]).toString('base64')}`,
  ])('a key like %j is refused', async (key) => {
    await open();
    expect(await refusal('updateAdminKey', { key, enable: true })).toBe('publicKeyInvalid');
    await expect(stat(file)).rejects.toThrow();
  });

  function field(content: string | Buffer): Buffer {
    const bytes = Buffer.from(content as string);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  }
});
