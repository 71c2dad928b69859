// Alert for a bucket error with the remedy, the next retry, and the S3 service's own message.
import { Alert, Text } from '@mantine/core';
import type { BucketProblem as Problem } from '@srs-stack/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../format-time.ts';
import classes from './bucket-problem.module.css';

export interface BucketProblemProps {
  problem: Problem;
  title: string;
  /** Buttons. */
  children?: ReactNode;
}

export function BucketProblem({ problem, title, children }: BucketProblemProps) {
  const { t } = useTranslation('bucket');
  const { kind, words, since, retryAt } = problem;
  return (
    <Alert role="alert" color="amber" icon={<IconAlertTriangle aria-hidden />} title={title}>
      <Text size="sm">
        {t(`problem.${kind}.what`)} {t(`problem.${kind}.advice`)}
      </Text>
      <Text size="sm" c="dimmed" mt={4}>
        {t('since', { since: formatTimestamp(since) })} ·{' '}
        {retryAt === '' ? t('retrying') : t('retryAt', { retryAt: formatTimestamp(retryAt) })}
      </Text>
      <code className={classes.words} lang="en">
        {words}
      </code>
      {children}
    </Alert>
  );
}
