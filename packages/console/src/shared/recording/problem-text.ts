// Explains why a recording has no MP4 or was not uploaded.
import type { RecordRow } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';

interface ProblemText {
  readonly sentence: string;
  /** English message of a program, if it adds details. */
  readonly message?: string;
}

/** Returns a function that explains a problem. Omits the English message if the explanation is complete. */
export function useProblemText() {
  const { t } = useTranslation('recording');
  return ({ problemKind, problem }: Pick<RecordRow, 'problemKind' | 'problem'>): ProblemText | undefined => {
    if (problem === '') return undefined;
    if (!problemKind) return { sentence: t('problem.other', { problem }) };
    const isEvident = problemKind === 'room' || problemKind === 'ffmpeg' || problemKind === 'segments';
    return { sentence: t(`problem.${problemKind}`), ...(!isEvident && { message: problem }) };
  };
}
