// HTTPS: uploads and every reason for a refusal, self-signed certificates, orders at a real ACME server, renewal.
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { authorityExtensions, issueCertificate, type TestCertificate } from '../src/testing/certificates.ts';
import { type Pebble, startPebble } from '../src/testing/pebble.ts';
import { openTestPlatform, type TestPlatform } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestPlatform();
});
afterEach(() => platform.dispose());

const now = () => new Date(platform.clock.nowMs);
const issue = (options: Parameters<typeof issueCertificate>[1]) => issueCertificate(now(), options);
const file = (name: string) => join(platform.dataDir, 'config', name);
const upload = (pair: Partial<TestCertificate>) => platform.call('updateCertificate', pair);
const query = async () => (await platform.call('queryCertificate')).body.data;
const status = async () => (await platform.call('queryCertificateStatus')).body.data;

describe('an uploaded certificate', () => {
  it('is checked, stored as two files and returned byte-equal', async () => {
    const pair = issue({ name: 'live.example.com' });
    expect(await upload(pair)).toMatchObject({ status: 200, body: { data: null } });
    const response = await query();
    expect(response).toMatchObject({ provider: 'ssl', domain: '', key: pair.key, crt: pair.crt });
    expect(response.certificate).toMatchObject({
      subject: 'live.example.com',
      issuer: 'live.example.com',
      names: ['live.example.com'],
      daysLeft: 365,
      selfSigned: true,
      fingerprint: new X509Certificate(pair.crt).fingerprint256,
    });
    expect((await stat(file('nginx.key'))).mode & 0o777).toBe(0o600);
    expect((await stat(file('nginx.crt'))).mode & 0o777).toBe(0o644);
    expect(platform.mediaServer.requests).toContain('GET /api/v1/raw?rpc=reload');
    expect(await status()).not.toHaveProperty('key');
    expect((await platform.call('queryAudit')).body.data.entries[0].detail).toContain(
      'certificate of live.example.com',
    );
  });

  it('is trimmed and ends with one newline', async () => {
    const { key, crt } = issue({ name: 'a.example.com' });
    await upload({ key: `\n\n${key.trim()}`, crt: `  ${crt}\n\n\n` });
    expect(await query()).toMatchObject({ key, crt });
  });

  it('of RSA and with a chain is accepted', async () => {
    const root = issue({ name: 'Root', extensions: authorityExtensions });
    const middle = issue({ name: 'Middle', issuer: root, extensions: authorityExtensions });
    const leaf = issue({ name: 'b.example.com', issuer: middle, keyType: ['rsa:2048'] });
    expect((await upload({ key: leaf.key, crt: leaf.crt + middle.crt + root.crt })).status).toBe(200);
    expect((await status()).certificate).toMatchObject({
      subject: 'b.example.com',
      issuer: 'Middle',
      selfSigned: false,
    });
  });

  it('that is invalid is refused with the reason, and the previous one stays', async () => {
    const good = issue({ name: 'good.example.com' });
    const other = issue({ name: 'other.example.com' });
    const root = issue({ name: 'Root', extensions: authorityExtensions });
    const stranger = issue({ name: 'Stranger', extensions: authorityExtensions });
    const leaf = issue({ name: 'leaf.example.com', issuer: root });
    const expired = issue({ name: 'e.example.com', days: { from: -20, to: -1 } });
    const future = issue({ name: 'f.example.com', days: { from: 2, to: 20 } });
    const client = issue({ name: 'c.example.com', extensions: ['extendedKeyUsage=clientAuth'] });
    const weak = issue({ name: 'w.example.com', keyType: ['rsa:1024'] });
    const locked = execFileSync('openssl', ['pkey', '-aes256', '-passout', 'pass:x'], { input: good.key }).toString();
    await upload(good);
    const cases: [string, Partial<TestCertificate>, string, RegExp?][] = [
      ['nothing', {}, 'invalidRequest'],
      ['no key', { crt: other.crt, key: ' \n' }, 'invalidRequest'],
      ['no certificate', { key: other.key }, 'invalidRequest'],
      ['gigantic', { key: other.key, crt: 'x'.repeat(70_000) }, 'invalidRequest'],
      ['plain text', { key: other.key, crt: 'hello' }, 'certificateFormat', /no BEGIN CERTIFICATE block/],
      ['swapped', { key: other.crt, crt: other.key }, 'certificateFormat', /swapped/],
      ['damaged', { key: other.key, crt: other.crt.replace(/\nMII../, '\nAAAAA') }, 'certificateFormat', /damaged/],
      ['key of plain text', { key: 'hello', crt: other.crt }, 'certificateKeyFormat'],
      ['key with a passphrase', { key: locked, crt: good.crt }, 'certificateKeyFormat', /passphrase/],
      ['key of another certificate', { key: good.key, crt: other.crt }, 'certificateMismatch'],
      ['expired', expired, 'certificateExpired', /2026-01-01/],
      ['not yet valid', future, 'certificateNotYetValid', /2026-01-04/],
      ['wrong order', { key: leaf.key, crt: root.crt + leaf.crt }, 'certificateChain', /first certificate of/],
      ['foreign issuer', { key: leaf.key, crt: leaf.crt + stranger.crt }, 'certificateChain', /2 of the chain did not/],
      ['for clients', client, 'certificateUnusable', /not allowed for servers/],
      ['too weak', weak, 'certificateUnusable', /too small/],
    ];
    for (const [title, pair, name, reason] of cases) {
      const response = await upload(pair);
      expect(response, title).toMatchObject({ status: 400, body: { data: { name } } });
      if (reason) expect(response.body.data.message, title).toMatch(reason);
      expect(JSON.stringify(response.body)).not.toContain('-----BEGIN');
    }
    expect(await query()).toMatchObject(good);
    expect(platform.mediaServer.requests.filter((each) => each === 'GET /api/v1/raw?rpc=reload')).toHaveLength(1);
  });

  it('reports its remaining days and its expiry', async () => {
    await upload(issue({ name: 'a.example.com', days: { from: -1, to: 2 } }));
    platform.clock.nowMs += 3 * 86_400_000;
    expect((await status()).certificate.daysLeft).toBe(-1);
  });

  it('is completed at the next start after a crash between the two files', async () => {
    const [old, next] = [issue({ name: 'old.example.com' }), issue({ name: 'new.example.com' })];
    await upload(old);
    // Simulates a crash: the store has the new certificate and key, and the new key file is in place. The certificate file is still old.
    const { createCertificateFiles } = await import('../src/certificates/certificate-files.ts');
    const { openStoreFile } = await import('../src/store/open-store.ts');
    await platform.close();
    const folder = { root: platform.dataDir, config: file(''), run: '' };
    const { store } = await openStoreFile(folder, now());
    await rm(file('nginx.crt'));
    await writeFile(file('nginx.crt.new-abc'), 'half');
    let calls = 0;
    const set: typeof store.set = async (type, value) => {
      calls += 1;
      if (calls > 1) throw new Error('crash');
      return store.set(type, value);
    };
    const failing = { ...store, set };
    await expect(createCertificateFiles(file(''), failing).replace(next)).rejects.toThrow('crash');
    await writeFile(file('nginx.crt'), old.crt);
    await store.close();
    platform = await platform.reopen();
    platform.start();
    await vi.waitFor(async () => expect(await readFile(file('nginx.crt'), 'utf8')).toBe(next.crt), 10_000);
    expect(await readFile(file('nginx.key'), 'utf8')).toBe(next.key);
    expect((await readdir(file(''))).filter((name) => name.includes('.new-'))).toEqual([]);
  });

  it('whose files are missing makes the query fail', async () => {
    await upload(issue({ name: 'a.example.com' }));
    await rm(file('nginx.key'));
    expect(await platform.call('queryCertificate')).toMatchObject({ status: 404 });
    expect((await status()).provider).toBe('ssl');
  });
});

describe('a self-signed certificate', () => {
  const make = (body: object = {}) => platform.call('createSelfSignedCertificate', body);

  it('is created when there is none, and is valid for other programs', async () => {
    expect(await query()).toMatchObject({ provider: '', key: '', crt: '', certificate: null });
    expect((await make()).status).toBe(200);
    const { provider, crt, key, certificate } = await query();
    expect(provider).toBe('ssl');
    expect(certificate).toMatchObject({
      subject: 'srs.stack.local',
      selfSigned: true,
      names: expect.arrayContaining(['localhost', '127.0.0.1']),
    });
    expect(certificate.daysLeft).toBeGreaterThan(3_650);
    const text = execFileSync('openssl', ['x509', '-noout', '-text'], { input: crt }).toString();
    expect(text).toMatch(/Version: 3[\s\S]*ecdsa-with-SHA256[\s\S]*CN = srs\.stack\.local[\s\S]*CA:FALSE/);
    expect(text).toMatch(
      /TLS Web Server Authentication[\s\S]*DNS:srs\.stack\.local, DNS:localhost, IP Address:127\.0\.0\.1/,
    );
    expect(
      execFileSync('openssl', ['ec', '-check', '-noout'], { input: key, stdio: ['pipe', 'pipe', 'pipe'] }),
    ).toBeDefined();
    await writeFile(file('verify.pem'), crt);
    const verified = execFileSync('openssl', ['verify', '-CAfile', file('verify.pem'), file('verify.pem')], {
      env: { ...process.env, LC_ALL: 'C' },
    });
    expect(verified.toString()).toContain(': OK');
  });

  it('replaces nothing unless requested, and can be for a host or an address', async () => {
    await make();
    const first = await query();
    await make();
    expect(await query()).toEqual(first);
    await make({ replace: true, domain: '2001:db8::5' });
    expect((await status()).certificate.names[0]).toMatch(/^2001:DB8:0:0:0:0:0:5$/i);
    await make({ replace: true, domain: 'stage.lan' });
    expect((await status()).certificate.names[0]).toBe('stage.lan');
    expect(await make({ replace: true, domain: 'a b' })).toMatchObject({
      status: 400,
      body: { data: { name: 'domainInvalid' } },
    });
    await rm(file('nginx.crt'));
    await make();
    await expect(readFile(file('nginx.crt'))).rejects.toThrow('ENOENT');
  });

  it('exists after the first start, unless switched off', async () => {
    platform.start();
    await vi.waitFor(async () => expect((await status()).certificate).toMatchObject({ selfSigned: true }));
    await platform.close();
    await rm(file('nginx.crt'));
    await rm(file('nginx.key'));
    platform = await platform.reopen({ AUTO_SELF_SIGNED_CERTIFICATE: 'off' });
    platform.start();
    await vi.waitFor(() => expect(platform.mediaServer.requests.length).toBeGreaterThan(0));
    expect((await status()).certificate).toBeNull();
  });
});

describe('Let’s Encrypt', () => {
  const domain = 'live.example.com';
  const ownCertificates = getCACertificates('default');
  let pebble: Pebble;
  let front: Server;
  let served: (path: string) => Promise<{ status: number; text: string }>;
  const filesOfThePlatform = async (path: string) => {
    const text = await readFile(join(platform.dataDir, path), 'utf8').catch(() => undefined);
    return { status: text === undefined ? 404 : 200, text: text ?? 'none' };
  };
  const order = (body: object) => platform.call('requestLetsEncrypt', body);

  beforeAll(async () => {
    front = createServer((request, response) => {
      void served(request.url ?? '').then(({ status: code, text }) => response.writeHead(code).end(text));
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const { port: httpPort } = front.address() as AddressInfo;
    pebble = await startPebble({ httpPort, names: [domain, 'xn--mnchen-3ya.example.com'] });
    setDefaultCACertificates([...ownCertificates, pebble.certificate]);
  });
  afterAll(async () => {
    setDefaultCACertificates(ownCertificates);
    front.close();
    await pebble.close();
  });
  beforeEach(async () => {
    served = filesOfThePlatform;
    platform = await platform.reopen({
      ACME_DIRECTORY: pebble.directoryUrl,
      ACME_HTTP_PORT: String((front.address() as AddressInfo).port),
      ACME_DNS_SERVERS: pebble.dnsServer,
    });
    // The certificate authority uses the real time, so the platform must use it too.
    platform.clock.nowMs = Date.now();
  });

  it('issues a certificate, which is installed with its key', async () => {
    expect(await order({ domain: ` ${domain.toUpperCase()}. `, email: 'me@example.com' })).toMatchObject({
      status: 200,
    });
    const { provider, domain: stored, email, key, crt, certificate, order: done } = await query();
    expect([provider, stored, email]).toEqual(['lets', domain, 'me@example.com']);
    expect(certificate).toMatchObject({
      names: [domain],
      selfSigned: false,
      issuer: expect.stringContaining('Pebble'),
    });
    expect(done).toMatchObject({ domain, step: 'done', isRenewal: false });
    expect(crt.match(/BEGIN CERTIFICATE/g).length).toBeGreaterThan(1);
    expect(new X509Certificate(crt).checkPrivateKey((await import('node:crypto')).createPrivateKey(key))).toBe(true);
    expect(await readdir(join(platform.dataDir, '.well-known/acme-challenge'))).toEqual([]);
    expect((await stat(file('nginx.key'))).mode & 0o777).toBe(0o600);
  });

  it('reports the progress of an order when the call does not wait for it', async () => {
    expect((await order({ domain, wait: false })).status).toBe(200);
    expect((await status()).order.step).not.toBe('done');
    expect(await order({ domain })).toMatchObject({ status: 409, body: { data: { name: 'certificateOrderRunning' } } });
    await vi.waitFor(async () => expect((await status()).order.step).toBe('done'), { timeout: 15_000 });
  });

  it('accepts an international name in its own spelling', async () => {
    expect((await order({ domain: 'münchen.example.com' })).status).toBe(200);
    expect((await status()).domain).toBe('xn--mnchen-3ya.example.com');
  });

  it.each([
    [''],
    ['localhost'],
    ['192.0.2.1'],
    ['*.example.com'],
    ['https://live.example.com/'],
    ['live.example.com:443'],
    ['-a.example.com'],
    ['a_b.example.com'],
    ['a..example.com'],
    [`${'x'.repeat(64)}.example.com`],
  ])('refuses the domain %j immediately', async (bad) => {
    for (const wait of [true, false]) {
      expect(await order({ domain: bad, wait })).toMatchObject({
        status: 400,
        body: { data: { name: 'domainInvalid' } },
      });
    }
    expect((await status()).order).toBeNull();
  });

  it('refuses an invalid contact address', async () => {
    expect(await order({ domain, email: 'me' })).toMatchObject({
      status: 400,
      body: { data: { name: 'invalidRequest' } },
    });
  });

  it('reports foreseeable failures before the order, and keeps the certificate in use', async () => {
    await platform.call('createSelfSignedCertificate');
    const before = await query();
    const reason = async (body: object) => (await order(body)).body.data;
    expect(await reason({ domain: 'nobody.example.com' })).toMatchObject({
      name: 'domainUnresolved',
      message: 'the domain has no DNS address record: DNS has no A or AAAA record for nobody.example.com',
    });
    served = async () => ({ status: 200, text: 'a page of somebody else' });
    expect(await reason({ domain })).toMatchObject({
      name: 'domainElsewhere',
      message: expect.stringContaining('belongs to another server'),
    });
    served = async () => ({ status: 404, text: 'no' });
    expect(await reason({ domain })).toMatchObject({
      name: 'domainElsewhere',
      message: expect.stringContaining('HTTP 404'),
    });
    expect((await status()).order).toMatchObject({ step: 'failed', error: { name: 'domainElsewhere' } });
    const { order: _order, ...rest } = await query();
    const { order: _before, ...same } = before;
    expect(rest).toEqual(same);
  });

  it("returns the authority's reason in one error message", async () => {
    served = async (path) => (path.includes('/check-') ? filesOfThePlatform(path) : { status: 200, text: 'wrong' });
    const response = await order({ domain });
    expect(response).toMatchObject({ status: 502, body: { data: { name: 'certificateOrderFailed' } } });
    expect(response.body.data.message).toMatch(
      /^the certificate authority did not issue the certificate: .*(?:key authorization|validation)/i,
    );
    expect(await readdir(join(platform.dataDir, '.well-known/acme-challenge'))).toEqual([]);
  });

  it('reports that the authority is unavailable', async () => {
    platform = await platform.reopen({
      ACME_DIRECTORY: 'https://127.0.0.1:9/dir',
      ACME_HTTP_PORT: String((front.address() as AddressInfo).port),
      ACME_DNS_SERVERS: pebble.dnsServer,
    });
    expect(await order({ domain })).toMatchObject({
      status: 502,
      body: { data: { name: 'certificateAuthorityUnreachable' } },
    });
  });

  it('renews with the same account shortly before the expiry, and not earlier', async () => {
    await order({ domain, email: 'me@example.com' });
    const first = (await status()).certificate;
    platform.clock.nowMs = Date.parse(first.notAfter) - 31 * 86_400_000;
    platform.start();
    await vi.waitFor(async () => expect((await status()).nextRenewalCheck).not.toBe(''));
    expect((await status()).certificate.fingerprint).toBe(first.fingerprint);
    await platform.close();
    platform.clock.nowMs = Date.parse(first.notAfter) - 29 * 86_400_000;
    platform = await platform.reopen();
    // The certificate is valid by the real time. The platform renews it, because the platform's clock is ahead.
    platform.start();
    await vi.waitFor(async () => expect((await status()).order).toMatchObject({ step: 'done', isRenewal: true }), {
      timeout: 15_000,
    });
    expect((await status()).certificate.fingerprint).not.toBe(first.fingerprint);
    expect((await status()).email).toBe('me@example.com');
  });

  it('keeps its certificate when a renewal fails, and retries later', async () => {
    await order({ domain });
    const first = (await status()).certificate;
    served = async () => ({ status: 404, text: 'no' });
    await platform.close();
    platform.clock.nowMs = Date.parse(first.notAfter) - 86_400_000;
    platform = await platform.reopen();
    platform.start();
    await vi.waitFor(async () => expect((await status()).order).toMatchObject({ step: 'failed', isRenewal: true }));
    const later = await vi.waitFor(async () => {
      const { nextRenewalCheck, certificate } = await status();
      expect(nextRenewalCheck).not.toBe('');
      expect(certificate.fingerprint).toBe(first.fingerprint);
      return Date.parse(nextRenewalCheck) - platform.clock.nowMs;
    });
    expect(later).toBe(6 * 3_600_000);
  });
});
