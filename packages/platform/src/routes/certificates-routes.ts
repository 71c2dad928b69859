import type { Certificates } from '../certificates/certificates.ts';
import type { Handlers } from './handlers.ts';

type Names =
  | 'queryCertificate'
  | 'queryCertificateStatus'
  | 'updateCertificate'
  | 'requestLetsEncrypt'
  | 'createSelfSignedCertificate';

export function certificatesRoutes(certificates: Certificates): Pick<Handlers, Names> {
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
