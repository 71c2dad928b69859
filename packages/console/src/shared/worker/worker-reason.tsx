// Why a worker is not on air, in plain words, and what to do; below it the detail, which may be FFmpeg's own words.
import { Alert, Text } from '@mantine/core';
import { readWorkerDetail } from '@srs-stack/contract/worker-details.ts';
import { IconAlertTriangle, IconHourglass } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { shownReason, type WorkerFacts, workerPhase } from './worker-phase.ts';

export function WorkerReasonNote({ facts, detail }: { facts: WorkerFacts; detail: string }) {
  const { t } = useTranslation('worker');
  const reason = shownReason(facts);
  if (reason === undefined) return null;
  const isWaiting = workerPhase(facts) === 'waiting';
  const known = readWorkerDetail(detail);
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
          {known ? t(`detail.${known.code}`, known.values) : detail}
        </Text>
      )}
    </Alert>
  );
}
