// Loads the certificate of HTTPS, RTMPS and RTSPS. When the files change, new connections get the new certificate. Invalid
// files (half written, wrong key) do not replace the certificate in use.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Logger } from '@srs-stack/process/logger.ts';
import { certificateCheckMs } from '../limits/front-limits.ts';

/** The part of an HTTPS server that the watch needs. */
export interface SecureServer {
  setSecureContext(options: { key: Buffer; cert: Buffer; minVersion: 'TLSv1.2' }): void;
}

export interface CertificateWatch {
  /** Checks the files immediately, and uses a changed certificate. Resolves even if the new files are missing or invalid. */
  reload(): Promise<void>;
  close(): void;
}

/** @param configDir folder of `nginx.crt` and `nginx.key` (PEM). Symbolic links are followed. */
export function watchCertificate(server: SecureServer, configDir: string, log: Logger): CertificateWatch {
  const files = { cert: join(configDir, 'nginx.crt'), key: join(configDir, 'nginx.key') };
  let loaded = '';
  const reload = async (): Promise<void> => {
    const version = await versionOf([files.cert, files.key]);
    if (version === undefined || version === loaded) return;
    loaded = version;
    try {
      const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)]);
      // Throws for an invalid pair. `setSecureContext` with an invalid pair would remove the valid certificate.
      createSecureContext({ cert, key });
      server.setSecureContext({ cert, key, minVersion: 'TLSv1.2' });
      log.info({ file: files.cert }, 'certificate loaded');
    } catch (error) {
      log.warn({ file: files.cert, reason: (error as Error).message }, 'the HTTPS certificate cannot be used');
    }
  };
  const onFailure = (error: unknown): void =>
    log.error({ file: files.cert, err: error }, 'files of the HTTPS certificate could not be checked');
  const timer = setInterval(() => {
    reload().catch(onFailure);
  }, certificateCheckMs).unref();
  return { reload, close: () => clearInterval(timer) };
}

/** Fingerprint of the files, which changes when a file changes. Undefined when a file is missing. */
async function versionOf(files: readonly string[]): Promise<string | undefined> {
  try {
    const stats = await Promise.all(files.map((file) => stat(file)));
    return stats.map(({ ino, size, mtimeMs }) => `${ino}:${size}:${mtimeMs}`).join(' ');
  } catch {
    return undefined;
  }
}
