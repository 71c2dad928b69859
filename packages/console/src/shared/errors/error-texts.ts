// Translates the reason of a failure. Without a translation, the server's English message is shown.
import type { RefusalDetailKey, WirePhrase } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { phraseText } from '../../i18n/phrase-text.ts';
import { describeError } from './error-description.ts';

/** Error fields of a response. Without `reason`, `message` is the English text of the error code. */
interface ReportedFailure {
  readonly message: string;
  readonly reason?: WirePhrase | undefined;
}

export interface ErrorTexts {
  /** Text in addition to the explanation of the error code; '' if the explanation suffices. */
  detailOf: (error: unknown) => string;
  /** Like `detailOf`, for error fields. @param isExplained the page already explains the error code. */
  textOf: (failure: ReportedFailure, isExplained: boolean) => string;
  lineOf: (error: unknown) => string;
}

/** Rendering does not wait for the texts, which load before a call can fail. */
export function useErrorTexts(): ErrorTexts {
  const { t, i18n } = useTranslation('errors', { useSuspense: false });
  const reasonOf = (reason: WirePhrase) =>
    phraseText(reason, {
      has: (key) => i18n.exists(`errors:reason.${key}`),
      format: (key, values) => t(`reason.${key as RefusalDetailKey}`, values),
      separator: t('reasonSeparator'),
    });
  const textOf = ({ message, reason }: ReportedFailure, isExplained: boolean) => {
    if (reason) return reasonOf(reason) ?? message;
    return isExplained ? '' : message;
  };
  const detailOf = (error: unknown) => {
    if (!(error instanceof ApiError)) return rawMessageOf(error);
    return textOf(error, error.kind !== 'http' && describeError(error).explanation !== undefined);
  };
  const lineOf = (error: unknown) => {
    const { explanation } = describeError(error);
    const what = explanation ? t(`explained.${explanation}.what`) : '';
    return [what, detailOf(error)].filter(Boolean).join(' ');
  };
  return { detailOf, textOf, lineOf };
}

function rawMessageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
