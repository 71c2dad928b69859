// A transfer of a recording to the bucket: its progress, or since when and why the transfer waits.
import { Progress } from '@mantine/core';
import type { ObjectTransfer } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../navigation/current-locale.ts';
import { formatBytes } from '../../shared/format-bytes.ts';
import { formatTimestamp } from '../../shared/format-time.ts';
import { RecordingProblem } from '../../shared/recording/recording-problem.tsx';
import classes from './record.module.css';

export function RecordingTransfer({ transfer, name }: { transfer: ObjectTransfer; name: string }) {
  const { t } = useTranslation(['records', 'bucket']);
  const locale = useLocale();
  const { state, sentBytes, sizeBytes, since, problem } = transfer;
  const percent = sizeBytes === 0 ? 0 : Math.floor((sentBytes / sizeBytes) * 100);
  const amounts = { sent: formatBytes(sentBytes, locale), size: formatBytes(sizeBytes, locale) };
  return (
    <div className={classes.transfer}>
      <span>
        {state === 'waiting'
          ? t('transfer.waiting', { since: formatTimestamp(since) })
          : t(`transfer.${state}`, { percent, ...amounts })}
      </span>
      {state !== 'waiting' && <Progress value={percent} size="sm" aria-label={t('transfer.label', { name })} />}
      {problem && (
        <RecordingProblem message={problem.words}>
          {t('transfer.problem', { what: t(`bucket:problem.${problem.kind}.what`) })}{' '}
          {t(`bucket:problem.${problem.kind}.advice`)}
        </RecordingProblem>
      )}
    </div>
  );
}
