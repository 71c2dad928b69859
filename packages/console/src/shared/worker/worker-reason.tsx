import { Alert, Text } from '@mantine/core';
import type { WorkerDetailKey, WorkerReason, WorkerStatus } from '@srs-stack/contract';
import { IconAlertTriangle, IconHourglass } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { phraseText } from '../../i18n/phrase-text.ts';
import { shownReason, type WorkerFacts, workerPhase } from './worker-phase.ts';

export interface WorkerReasonProps {
  facts: WorkerFacts;
  /** `detail` is a message key with values. Older servers send only the English text `reasonDetail`. */
  reported: Pick<WorkerStatus, 'reasonDetail' | 'detail'>;
  /** Overrides the common texts of some reasons. */
  textsOf?: (reason: WorkerReason) => { readonly what: string; readonly remedy: string } | undefined;
}

export function WorkerReasonNote({ facts, reported, textsOf }: WorkerReasonProps) {
  const { t, i18n } = useTranslation('worker');
  const reason = shownReason(facts);
  if (reason === undefined) return null;
  const isWaiting = workerPhase(facts) === 'waiting';
  const translated =
    reported.detail &&
    phraseText(reported.detail, {
      has: (key) => i18n.exists(`worker:detail.${key}`),
      format: (key, values) => t(`detail.${key as WorkerDetailKey}`, values),
      separator: ' ',
    });
  const detail = translated ?? reported.reasonDetail;
  const texts = textsOf?.(reason);
  return (
    <Alert
      variant="light"
      color={isWaiting ? 'signal' : 'amber'}
      p="sm"
      icon={isWaiting ? <IconHourglass aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={texts?.what ?? t(`reason.${reason}.what`)}
    >
      <Text size="sm">{texts?.remedy ?? t(`reason.${reason}.remedy`)}</Text>
      {detail !== '' && !isWaiting && (
        <Text size="xs" c="dimmed" mt={6} style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      )}
    </Alert>
  );
}
