import type * as calls from '@srs-stack/contract/endpoints/settings/certificates.ts';
import type { Certificates } from '../../certificates/certificates.ts';
import type { HandlersOf } from '../handlers.ts';

export function certificatesRoutes(certificates: Certificates): HandlersOf<typeof calls> {
  return {
    queryCertificate: async () => ({ ...(await certificates.state()), ...(await certificates.texts()) }),
    queryCertificateStatus: () => certificates.state(),
    async updateCertificate({ key, crt, replaces }, { actor }) {
      await certificates.upload({ key, crt }, actor, replaces);
      return null;
    },
    async requestLetsEncrypt({ domain, email, wait, replaces }, { actor }) {
      await certificates.letsEncrypt({ domain, email, wait, replaces, actor });
      return null;
    },
    async createSelfSignedCertificate({ replace, domain, replaces }, { actor }) {
      await certificates.makeSelfSigned({ replace, domain, replaces, actor });
      return null;
    },
  };
}
