import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle, IconUrgent } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { HealthFinding, Severity } from './health-finding.ts';

const looks = {
  bad: { color: 'broken', Sign: IconUrgent },
  warning: { color: 'amber', Sign: IconAlertTriangle },
  info: { color: 'gray', Sign: IconInfoCircle },
} as const satisfies Record<Severity, unknown>;

export function FindingNote({ finding }: { finding: HealthFinding }) {
  const { color, Sign } = looks[finding.severity];
  const { what, advice } = useFindingTexts()(finding);
  return (
    <Alert variant="light" color={color} icon={<Sign aria-hidden />} p="sm" data-finding={finding.kind}>
      <strong style={{ fontWeight: 600 }}>{what}</strong> {advice}
    </Alert>
  );
}

/** Returns a function that formats findings in the current language. */
export function useFindingTexts(): (finding: HealthFinding) => { what: string; advice: string } {
  const { t } = useTranslation('stream-health');
  return ({ kind, values }) => {
    const direction =
      typeof values.direction === 'string' ? { direction: t(`direction.${values.direction as 'ahead'}`) } : {};
    const named = { ...values, ...direction };
    return { what: t(`${kind}.what`, named), advice: t(`${kind}.advice`, named) };
  };
}

export const findingSigns = { bad: IconUrgent, warning: IconAlertTriangle, info: IconInfoCircle } as const;
