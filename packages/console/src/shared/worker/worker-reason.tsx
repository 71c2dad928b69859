// Why a worker is not active, and the remedy; below it the detail, which may be FFmpeg's own message.
import { Alert, Text } from '@mantine/core';
import type { WorkerDetailKey, WorkerStatus } from '@srs-stack/contract';
import { IconAlertTriangle, IconHourglass } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { phraseText } from '../../i18n/phrase-text.ts';
import { shownReason, type WorkerFacts, workerPhase } from './worker-phase.ts';

export interface WorkerReasonProps {
  facts: WorkerFacts;
  /** The detail by its key; an older server's rows have its English text alone. */
  said: Pick<WorkerStatus, 'reasonDetail' | 'detail'>;
}

export function WorkerReasonNote({ facts, said }: WorkerReasonProps) {
  const { t, i18n } = useTranslation('worker');
  const reason = shownReason(facts);
  if (reason === undefined) return null;
  const isWaiting = workerPhase(facts) === 'waiting';
  const told =
    said.detail &&
    phraseText(said.detail, {
      has: (key) => i18n.exists(`worker:detail.${key}`),
      say: (key, values) => t(`detail.${key as WorkerDetailKey}`, values),
      separator: ' ',
    });
  const detail = told ?? said.reasonDetail;
  return (
    <Alert
      variant="light"
      color={isWaiting ? 'signal' : 'amber'}
      p="sm"
      icon={isWaiting ? <IconHourglass aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={t(`reason.${reason}.what`)}
    >
      <Text size="sm">{t(`reason.${reason}.remedy`)}</Text>
      {detail !== '' && !isWaiting && (
        <Text size="xs" c="dimmed" mt={6} style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      )}
    </Alert>
  );
}
