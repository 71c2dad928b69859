// Explains why a camera cannot be used over ONVIF, as an AppError that consoles translate.
import { AppError, because } from '@srs-stack/contract';
import { RefusedAddress } from '../../network/guarded-lookup.ts';
import { CameraResponseTooLarge } from './camera-http.ts';

export function onvifNotAuthorized(): AppError {
  return new AppError('mediaUnreachable', because('onvif.not-authorized'));
}

export function onvifInvalid(): AppError {
  return new AppError('mediaUnreachable', because('onvif.invalid'));
}

export function onvifFault(reason: string): AppError {
  return new AppError(
    'mediaUnreachable',
    reason === '' ? because('onvif.fault') : because('onvif.fault-reason', { reason }),
  );
}

export function onvifBusy(host: string): AppError {
  return new AppError('mediaUnreachable', because('onvif.busy', { host }));
}

/** Converts an error of `sendCameraRequest`. @param afterMs milliseconds since the operator's request, which may take several calls. */
export function onvifFailure(error: unknown, host: string, afterMs: number): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof RefusedAddress)
    return new AppError('addressRefused', because('address.never-contacted', { host }));
  if (error instanceof CameraResponseTooLarge) return new AppError('mediaUnreachable', because('onvif.too-large'));
  if (!(error instanceof Error)) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  // HTTP parser, TLS and socket errors have codes. An error without a code is a bug.
  if (error.name === 'TimeoutError' || error.name === 'AbortError') {
    const seconds = Math.max(1, Math.round(afterMs / 1_000));
    return new AppError('mediaUnreachable', because('onvif.silent', { host, seconds }));
  }
  if (/^(?:CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code))
    return new AppError('mediaUnreachable', because('onvif.certificate', { host }));
  if (/^HPE_/.test(code)) return onvifInvalid();
  return code === '' ? error : new AppError('mediaUnreachable', because('onvif.unreachable', { host, code }));
}
