// HTTPS of the public server: uploaded, ACME-issued and self-signed certificates.
import { createAcmeAuthority } from './acme/acme-authority.ts';
import { createChallengeFiles } from './acme/challenge-files.ts';
import { createDomainCheck, type DomainCheckOptions } from './acme/domain-check.ts';
import { type Certificates, type CertificatesDeps, createCertificates } from './certificates.ts';

export interface OpenCertificatesDeps extends Omit<CertificatesDeps, 'authority' | 'checkDomain' | 'startsSelfSigned'> {
  readonly env: {
    /** Absolute path. */
    readonly dataDir: string;
    readonly startsSelfSigned: boolean;
    readonly acme: Omit<DomainCheckOptions, 'challenges'> & { readonly directoryUrl: string };
  };
}

export function openCertificates({ env, ...deps }: OpenCertificatesDeps): Certificates {
  const challenges = createChallengeFiles(env.dataDir);
  return createCertificates({
    ...deps,
    authority: createAcmeAuthority(env.acme.directoryUrl, challenges),
    checkDomain: createDomainCheck({ ...env.acme, challenges }),
    startsSelfSigned: env.startsSelfSigned,
  });
}
