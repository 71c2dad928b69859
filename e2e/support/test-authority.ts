// A certificate authority for one test, and the certificates that it signs.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const openssl = promisify(execFile);
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

interface TestAuthority {
  readonly file: string;
  /** Creates a certificate for a name, valid for `days` from now. A negative number creates an expired certificate. */
  sign(name: string, days?: number): Promise<CertificateFiles>;
}

export async function createAuthority(folder: string, id: string): Promise<TestAuthority> {
  const [file, authorityKey] = [join(folder, `${id}.pem`), join(folder, `${id}.key`)];
  const subject = ['-subj', `/CN=${id} of a test`];
  await openssl('openssl', [
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    authorityKey,
    '-out',
    file,
    ...subject,
    '-days',
    '2',
  ]);
  let count = 0;
  return {
    file,
    async sign(name, days = 2) {
      const path = join(folder, `${id}-${count++}`);
      const request = `${path}.csr`;
      const extensions = `${path}.ext`;
      const certificate = `${path}.pem`;
      const key = `${path}.key`;
      await writeFile(extensions, `subjectAltName=DNS:${name}\n`);
      await openssl('openssl', ['req', ...newKey, '-keyout', key, '-out', request, '-subj', `/CN=${name}`]);
      const signer = ['-CA', file, '-CAkey', authorityKey, '-days', `${days}`, '-extfile', extensions];
      await openssl('openssl', ['x509', '-req', '-in', request, ...signer, '-out', certificate]);
      return { certificate, key };
    },
  };
}
