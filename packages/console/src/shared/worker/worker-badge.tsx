import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useNow } from './use-now.ts';
import { badgeOfPhase, retryInSeconds, type WorkerFacts, workerPhase } from './worker-phase.ts';

export interface WorkerBadgeProps {
  facts: WorkerFacts;
  /** "Forwarding", "Streaming" or "Transcoding". */
  activeWord: string;
  /** Time at which the row arrived, epoch milliseconds. */
  asOfMs: number;
}

export function WorkerBadge({ facts, activeWord, asOfMs }: WorkerBadgeProps) {
  const { t } = useTranslation('worker');
  const phase = workerPhase(facts);
  const counts = (phase === 'retrying' || phase === 'failed') && facts.retryInMs > 0;
  const now = useNow(counts);
  const seconds = counts ? retryInSeconds(facts.retryInMs, now - asOfMs) : 0;
  const label = phase === 'active' ? activeWord : t(`phase.${phase}`);
  return (
    <StatusBadge state={badgeOfPhase[phase]}>
      {/* Screen readers do not read the countdown every second. */}
      <span aria-live={seconds > 0 ? 'off' : 'polite'}>
        {seconds > 0 ? t(phase === 'failed' ? 'failedIn' : 'retryingIn', { seconds }) : label}
      </span>
    </StatusBadge>
  );
}
