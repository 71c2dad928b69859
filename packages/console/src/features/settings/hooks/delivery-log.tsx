// Callback requests and their responses, newest first. An expanded row shows both bodies.
import { SegmentedControl, Skeleton } from '@mantine/core';
import type { HookDelivery } from '@srs-stack/contract';
import { IconBellOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../../shared/format-time.ts';
import { QueryPlaceholder } from '../../../shared/query-placeholder.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import classes from './callback.module.css';
import { DeliveryDetail } from './delivery-detail.tsx';
import { OutcomeBadge, useOutcomeText } from './outcome.tsx';
import { useDeliveries } from './queries.ts';

const filters = ['all', 'problems'] as const;
type Filter = (typeof filters)[number];

export function DeliveryLog() {
  const { t } = useTranslation('hooks');
  const [filter, setFilter] = useState<Filter>('all');
  const query = useDeliveries();
  if (!query.data) return <QueryPlaceholder query={query} skeleton={<Skeleton height={160} />} />;
  const { deliveries } = query.data;
  const shown = filter === 'all' ? deliveries : deliveries.filter(({ outcome }) => outcome !== 'accepted');
  if (deliveries.length === 0) {
    return (
      <EmptyState compact icon={<IconBellOff size={26} stroke={1.6} aria-hidden />} title={t('log.empty.title')}>
        {t('log.empty.text')}
      </EmptyState>
    );
  }
  return (
    <>
      <SegmentedControl
        size="xs"
        mb="sm"
        aria-label={t('log.filter')}
        value={filter}
        onChange={(value) => setFilter(value as Filter)}
        data={filters.map((value) => ({ value, label: t(`log.show.${value}`) }))}
      />
      <ul className={classes.log} aria-label={t('log.title')}>
        {shown.map((delivery) => (
          <li key={delivery.id}>
            <DeliveryLine delivery={delivery} />
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className={classes.quiet}>{t('log.noProblems')}</p>}
    </>
  );
}

function DeliveryLine({ delivery }: { delivery: HookDelivery }) {
  const { t } = useTranslation('hooks');
  const outcomeText = useOutcomeText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={classes.line} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <OutcomeBadge outcome={delivery.outcome} />
        <code>{delivery.action}</code>
        <span className={classes.sentence}>{outcomeText(delivery)}</span>
        <span className={classes.quiet}>{t('log.duration', { ms: delivery.durationMs })}</span>
        <time className={classes.quiet} dateTime={delivery.at}>
          {formatTimestamp(delivery.at)}
        </time>
      </summary>
      {isOpen && (
        <>
          <p className={classes.target}>{delivery.target}</p>
          <DeliveryDetail delivery={delivery} />
        </>
      )}
    </details>
  );
}
