// Message for a failed pull of a camera. Faults that the gateway classifies have a translated message.
import { programWords, type WorkerDetail, workerDetail } from '@srs-stack/contract';
import { certificateFault } from './certificate-fault.ts';
import type { TransferRow } from './engine-transfers.ts';

/** Timeouts of the gateway in seconds, for messages. */
const connectSeconds = 4;
const mediaSeconds = 15;
const stallSeconds = 10;

export function pullDetail(row: TransferRow): WorkerDetail {
  const { reason, detail } = row;
  const named = faultDetail(row);
  if (named) return named;
  if (reason === 'timeout') return workerDetail('source-silent', { seconds: mediaSeconds });
  if (reason === 'stalled') return workerDetail('source-stalled', { seconds: Number(row.subject) || stallSeconds });
  const certificate = reason === 'tls-failed' && certificateFault(detail);
  if (certificate) return workerDetail(`camera-${certificate}`);
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
    case 'leads-inward':
      return workerDetail('camera-leads-inward', { host: subject });
    case 'needs-ffmpeg':
      return workerDetail('camera-needs-ffmpeg', { feature: subject });
    case 'no-datagrams':
      return workerDetail('camera-no-datagrams', { seconds: mediaSeconds });
    case 'not-local':
      return workerDetail('camera-not-local', { address: subject });
    case 'sender-refused':
      return workerDetail('camera-sender-refused', { address: subject });
    case 'udp-port-taken':
      return workerDetail('camera-udp-port-taken', { port: subject });
    default:
      return workerDetail(`camera-${fault}`);
  }
}
