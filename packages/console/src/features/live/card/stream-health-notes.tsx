// Health as sentences with their evidence and the remedy.
import { Alert } from '@mantine/core';
import type { LiveStream } from '@srs-stack/contract';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type HealthFinding, healthFindings } from './stream-health.ts';

/** Findings that hurt viewers; the others only inform. */
const isWarning: Record<HealthFinding['kind'], boolean> = {
  keyframes: true,
  'bitrate-drops': true,
  'short-latency': true,
  'no-video': false,
  'no-audio': false,
};

export function StreamHealthNotes({ stream }: { stream: LiveStream }) {
  const { t } = useTranslation('live');
  return healthFindings(stream).map((finding) => (
    <Alert
      key={finding.kind}
      variant="light"
      color={isWarning[finding.kind] ? 'amber' : 'gray'}
      icon={isWarning[finding.kind] ? <IconAlertTriangle aria-hidden /> : <IconInfoCircle aria-hidden />}
      p="sm"
    >
      {t(`health.${finding.kind}`, { ...finding })}
    </Alert>
  ));
}
