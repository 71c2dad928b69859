// Certificates of all kinds for tests. The OpenSSL program issues them, independently of the tested code.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestCertificate {
  readonly key: string;
  readonly crt: string;
}

export interface CertificateOptions {
  readonly name: string;
  readonly issuer?: TestCertificate;
  readonly extensions?: readonly string[];
  readonly keyType?: readonly string[];
  /** Start and end of the validity, days from the current time of the test. A negative value is in the past. */
  readonly days?: { readonly from: number; readonly to: number };
}

const defaultDays = { from: -1, to: 365 };

/** @param now current time of the test. */
export function issueCertificate(now: Date, options: CertificateOptions): TestCertificate {
  const { name, issuer, keyType = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'], days = defaultDays } = options;
  const extensions = options.extensions ?? [`subjectAltName=DNS:${name}`, 'extendedKeyUsage=serverAuth'];
  const folder = mkdtempSync(join(tmpdir(), 'srs-certificates-'));
  const at = (file: string) => join(folder, file);
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    writeFileSync(at('config'), configText(name, extensions));
    openssl(
      'req',
      '-new',
      '-newkey',
      ...keyType,
      '-nodes',
      '-keyout',
      at('key'),
      '-out',
      at('csr'),
      '-config',
      at('config'),
    );
    for (const file of ['index', 'index.attr']) writeFileSync(at(file), '');
    writeFileSync(
      at('serial'),
      `${Math.floor(Math.random() * 1e9 + 1e9)
        .toString(16)
        .padStart(8, '0')}\n`,
    );
    if (issuer) {
      writeFileSync(at('issuer.key'), issuer.key);
      writeFileSync(at('issuer.crt'), issuer.crt);
    }
    const signer = issuer
      ? ['-keyfile', at('issuer.key'), '-cert', at('issuer.crt')]
      : ['-selfsign', '-keyfile', at('key')];
    const dates = ['-startdate', openSslTime(now, days.from), '-enddate', openSslTime(now, days.to)];
    openssl(
      'ca',
      '-batch',
      '-notext',
      '-config',
      at('config'),
      '-in',
      at('csr'),
      '-out',
      at('crt'),
      ...signer,
      ...dates,
    );
    return { key: readFileSync(at('key'), 'utf8'), crt: readFileSync(at('crt'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }

  function configText(commonName: string, lines: readonly string[]): string {
    return `[req]
distinguished_name = dn
prompt = no
[dn]
CN = ${commonName}
[ca]
default_ca = own
[own]
dir = ${folder}
database = ${at('index')}
serial = ${at('serial')}
new_certs_dir = ${folder}
default_md = sha256
policy = anything
x509_extensions = extensions
unique_subject = no
[anything]
commonName = supplied
[extensions]
${lines.join('\n')}
`;
  }
}

function openSslTime(now: Date, days: number): string {
  const date = new Date(now.getTime() + days * 86_400_000);
  return `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
}

export const authorityExtensions = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign'];
