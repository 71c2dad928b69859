import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerCertificate } from '../src/index.ts';

const run = promisify(execFile);

export async function makeCertificate(folder: string, name: string): Promise<ServerCertificate> {
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile];
  await run('openssl', ['req', '-x509', ...key, '-subj', `/CN=${name}`, '-days', '2', '-out', certFile]);
  const [keyText, cert] = await Promise.all([readFile(keyFile), readFile(certFile)]);
  return { key: keyText, cert, minVersion: 'TLSv1.2' };
}
