import type * as calls from '@srs-stack/contract/endpoints/certificates.ts';
import type { Certificates } from '../certificates/certificates.ts';
import type { HandlersOf } from './handlers.ts';

export function certificatesRoutes(certificates: Certificates): HandlersOf<typeof calls> {
  return {
    queryCertificate: async () => ({ ...(await certificates.state()), ...(await certificates.texts()) }),
    queryCertificateStatus: () => certificates.state(),
    async updateCertificate({ key, crt, replaces }, { ip }) {
      await certificates.upload({ key, crt }, ip, replaces);
      return null;
    },
    async requestLetsEncrypt({ domain, email, wait, replaces }, { ip }) {
      await certificates.letsEncrypt({ domain, email, wait, replaces, ip });
      return null;
    },
    async createSelfSignedCertificate({ replace, domain, replaces }, { ip }) {
      await certificates.makeSelfSigned({ replace, domain, replaces, ip });
      return null;
    },
  };
}
