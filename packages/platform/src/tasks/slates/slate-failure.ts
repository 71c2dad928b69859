// Why a slate failed: an English text and a message key for the console. Texts of FFmpeg have no message key.
import { AppError, type RefusalDetail, toWirePhrase, type WirePhrase } from '@srs-stack/contract';

export interface SlateFailure {
  readonly failure: string;
  readonly reason?: WirePhrase;
}

export function slateFailure(error: Error): SlateFailure {
  return error instanceof AppError && error.detail ? failureOf(error.detail) : { failure: error.message };
}

export function failureOf(detail: RefusalDetail): SlateFailure {
  return { failure: detail.text, reason: toWirePhrase(detail) };
}
