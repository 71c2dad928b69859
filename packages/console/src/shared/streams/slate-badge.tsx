// Shows that viewers of a stream see its slate, and since when; hidden while they see the source.
import type { LiveStream } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatClock } from '../format-time.ts';

export function SlateBadge({ stream: { slateForMs } }: { stream: Pick<LiveStream, 'slateForMs'> }) {
  const { t, i18n } = useTranslation('streams');
  if (slateForMs === undefined) return null;
  return (
    <span title={t('slateExplained')}>
      <StatusBadge state="attention">
        {t('slateSince', { time: formatClock(Date.now() - slateForMs, i18n.language) })}
      </StatusBadge>
    </span>
  );
}
