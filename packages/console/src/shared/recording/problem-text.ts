// Why a recording has no MP4 or was not uploaded, in the page's language.
import type { RecordRow } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';

interface ProblemText {
  readonly sentence: string;
  /** The English message of a program, if it adds detail. */
  readonly message?: string;
}

/** Returns the text of a problem. The English message is omitted if the text explains it completely. */
export function useProblemText() {
  const { t } = useTranslation('recording');
  return ({ problemKind, problem }: Pick<RecordRow, 'problemKind' | 'problem'>): ProblemText | undefined => {
    if (problem === '') return undefined;
    if (!problemKind) return { sentence: t('problem.other', { problem }) };
    const isEvident = problemKind === 'room' || problemKind === 'ffmpeg' || problemKind === 'segments';
    return { sentence: t(`problem.${problemKind}`), ...(!isEvident && { message: problem }) };
  };
}
