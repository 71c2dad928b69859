// Why a slate failed: the translated reason, or FFmpeg's own message.
import type { WirePhrase } from '@srs-stack/contract';
import { useErrorTexts } from '../../../shared/errors/error-texts.ts';

export interface SlateFailureProps {
  message: string;
  reason: WirePhrase | undefined;
}

export function SlateFailure({ message, reason }: SlateFailureProps) {
  const { textOf } = useErrorTexts();
  return reason ? textOf({ message, reason }, false) : <code>{message}</code>;
}
