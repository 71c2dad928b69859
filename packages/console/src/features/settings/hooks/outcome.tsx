// The result of a callback, as a badge and as a sentence.
import type { HookDelivery } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../../ui/status-badge.tsx';

const states = { accepted: 'good', refused: 'attention', failed: 'error' } as const;

export function OutcomeBadge({ outcome }: Pick<HookDelivery, 'outcome'>) {
  const { t } = useTranslation('hooks');
  return <StatusBadge state={states[outcome]}>{t(`outcome.${outcome}`)}</StatusBadge>;
}

export function useOutcomeText() {
  const { t } = useTranslation('hooks');
  return ({ problem, status }: HookDelivery) =>
    problem ? t(`problem.${problem}`, { status }) : t('outcomeText.accepted');
}
