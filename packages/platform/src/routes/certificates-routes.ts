import type { Services } from '../services/services.ts';
import type { Handlers } from './handlers.ts';

type Names =
  | 'queryCertificate'
  | 'queryCertificateStatus'
  | 'updateCertificate'
  | 'requestLetsEncrypt'
  | 'createSelfSignedCertificate';

export function certificatesRoutes({ certificates }: Services): Pick<Handlers, Names> {
  return {
    queryCertificate: async () => ({ ...(await certificates.state()), ...(await certificates.texts()) }),
    queryCertificateStatus: () => certificates.state(),
    async updateCertificate({ key, crt }, { ip }) {
      await certificates.upload({ key, crt }, ip);
      return null;
    },
    async requestLetsEncrypt({ domain, email, wait }, { ip }) {
      await certificates.letsEncrypt({ domain, email, wait, ip });
      return null;
    },
    async createSelfSignedCertificate({ replace, domain }, { ip }) {
      await certificates.makeSelfSigned({ replace, domain, ip });
      return null;
    },
  };
}
