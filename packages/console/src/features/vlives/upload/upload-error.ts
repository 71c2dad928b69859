// Extracts the server's error from the error type of the tus library.
import type { FailureEnvelope } from '@srs-stack/contract';
import { resumableUploadPath } from '@srs-stack/contract/constants.ts';
import { ApiError } from '../../../api/api-error.ts';

interface UploadFailure {
  message?: string;
  originalResponse?: { getStatus(): number; getBody(): string } | null;
}

export function toUploadError(error: unknown): unknown {
  const { originalResponse: response, message = '' } = (error ?? {}) as UploadFailure;
  if (response === undefined) return error;
  if (response === null || response.getStatus() === 0)
    return new ApiError({ kind: 'network', message, url: resumableUploadPath }, { cause: error });
  const body = parse(response.getBody());
  return new ApiError(
    {
      kind: body ? 'refused' : 'http',
      message: body?.data.message ?? response.getBody().trim(),
      url: resumableUploadPath,
      status: response.getStatus(),
      ...(body ? { code: body.code, errorName: body.data.name, reason: body.data.reason, body } : {}),
    },
    { cause: error },
  );
}

function parse(text: string): FailureEnvelope | undefined {
  try {
    const body = JSON.parse(text) as FailureEnvelope;
    return typeof body?.code === 'number' && typeof body.data?.message === 'string' ? body : undefined;
  } catch {
    return undefined;
  }
}
