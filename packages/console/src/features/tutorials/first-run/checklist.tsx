// Checklist of first steps with links. The server reports which steps are completed.
import { ActionIcon, Progress, Skeleton, Tooltip } from '@mantine/core';
import type { FirstSteps } from '@srs-stack/contract';
import { IconCheck, IconChevronRight, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../../navigation/current-locale.ts';
import type { Screen } from '../../../navigation/paths.ts';
import { QueryFailure } from '../../../shared/query-failure.tsx';
import { useFirstSteps } from '../queries.ts';
import classes from './checklist.module.css';

const steps: readonly { key: keyof FirstSteps; screen: Screen; search: string }[] = [
  { key: 'password', screen: 'settings', search: '?tab=auth' },
  { key: 'publish', screen: 'scenario', search: '?tab=live' },
  { key: 'play', screen: 'scenario', search: '?tab=live' },
  { key: 'https', screen: 'settings', search: '?tab=https' },
  { key: 'record', screen: 'scenario', search: '?tab=record' },
  { key: 'forward', screen: 'scenario', search: '?tab=forward' },
];

export function Checklist({ onHide }: { onHide: () => void }) {
  const { t } = useTranslation('tutorials');
  const { data, error, refetch } = useFirstSteps();
  const done = data ? steps.filter(({ key }) => data[key]).length : 0;
  return (
    <section className={classes.card} aria-labelledby="first-steps">
      <header className={classes.head}>
        <h2 id="first-steps">{t(data && done === steps.length ? 'steps.allDone' : 'steps.title')}</h2>
        <span role="status" className={classes.count}>
          {data ? t('steps.count', { done, total: steps.length }) : ' '}
        </span>
        <Tooltip label={t('steps.hide')}>
          <ActionIcon aria-label={t('steps.hide')} onClick={onHide}>
            <IconX size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </header>
      <Progress value={(done / steps.length) * 100} size="sm" aria-label={t('steps.title')} />
      {!data && error ? (
        <QueryFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <ul className={classes.list}>
          {steps.map((step) => (
            <Step key={step.key} step={step} isDone={data?.[step.key]} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Step({ step, isDone }: { step: (typeof steps)[number]; isDone: boolean | undefined }) {
  const { t } = useTranslation('tutorials');
  const toScreen = useScreenPath();
  if (isDone === undefined) {
    return (
      <li>
        <Skeleton height={44} my={3} />
      </li>
    );
  }
  return (
    <li>
      <Link to={toScreen(step.screen, step.search)} className={classes.step} data-done={isDone || undefined}>
        <span className={classes.tick}>{isDone && <IconCheck size={14} stroke={3} aria-hidden />}</span>
        <span className={classes.words}>
          <span className={classes.name}>{t(`steps.${step.key}.name`)}</span>
          <span className={classes.why}>{t(isDone ? 'steps.done' : `steps.${step.key}.why`)}</span>
        </span>
        <IconChevronRight size={16} aria-hidden className={classes.chevron} />
      </Link>
    </li>
  );
}
