// The running ladders, one card each.
import { IconStairs } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { QueryFailure } from '../../shared/query-failure.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import classes from './ladder.module.css';
import { LadderCard } from './ladder-card.tsx';
import { useLadderTasks } from './queries.ts';

export function LadderStatus({ isEnabled }: { isEnabled: boolean }) {
  const { t } = useTranslation('ladder');
  const tasks = useLadderTasks();
  const rows = tasks.data?.tasks;
  return (
    <section className={classes.status} aria-label={t('status.title')}>
      <h2 className={classes.title}>{t('status.title')}</h2>
      {rows === undefined ? (
        <QueryFailure error={tasks.error} onRetry={() => void tasks.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState
          compact
          icon={<IconStairs size={26} stroke={1.6} aria-hidden />}
          title={t(isEnabled ? 'status.noneTitle' : 'status.offTitle')}
        >
          {t(isEnabled ? 'status.none' : 'status.off')}
        </EmptyState>
      ) : (
        rows.map((task) => <LadderCard key={task.url} task={task} asOfMs={tasks.dataUpdatedAt} />)
      )}
    </section>
  );
}
