// Why a gateway cannot pull a camera, as a detail of the catalogue: translated where the gateway names the fault.
import { programWords, type WorkerDetail, type WorkerDetailKey, workerDetail } from '@srs-stack/contract';
import type { TransferRow } from './engine-transfers.ts';

/** Limits of the gateway, for texts, seconds. */
const connectSeconds = 4;
const mediaSeconds = 15;
const stallSeconds = 10;

type CertificateFault = Extract<WorkerDetailKey, `camera-certificate-${string}` | 'camera-no-tls'>;

/** By the code of OpenSSL or Node with which the text of the gateway begins. */
const certificateFaults: Readonly<Record<string, CertificateFault>> = {
  CERT_HAS_EXPIRED: 'camera-certificate-expired',
  CERT_NOT_YET_VALID: 'camera-certificate-early',
  ERR_TLS_CERT_ALTNAME_INVALID: 'camera-certificate-name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'camera-certificate-untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'camera-certificate-untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'camera-certificate-untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'camera-certificate-untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'camera-certificate-untrusted',
  ERR_SSL_WRONG_VERSION_NUMBER: 'camera-no-tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'camera-no-tls',
};

export function pullDetail(row: TransferRow): WorkerDetail {
  const { reason, detail } = row;
  const named = faultDetail(row);
  if (named) return named;
  if (reason === 'timeout') return workerDetail('source-silent', { seconds: mediaSeconds });
  if (reason === 'stalled') return workerDetail('source-stalled', { seconds: stallSeconds });
  const certificate = reason === 'tls-failed' && certificateFaults[detail.slice(0, detail.indexOf(':'))];
  if (certificate) return workerDetail(certificate);
  return detail === '' ? workerDetail('source-closed') : programWords(detail);
}

function faultDetail({ fault = 'none', subject = '' }: TransferRow): WorkerDetail | undefined {
  switch (fault) {
    case 'none':
      return undefined;
    case 'not-connected':
      return workerDetail('camera-not-connected', { seconds: connectSeconds });
    case 'sends-nothing':
      return workerDetail('camera-sends-nothing', { seconds: mediaSeconds });
    case 'udp-blocked':
      return workerDetail('camera-udp-blocked', { seconds: mediaSeconds });
    case 'video-unsupported':
      return workerDetail('camera-video-unsupported', { codecs: subject });
    default:
      return workerDetail(`camera-${fault}`);
  }
}
