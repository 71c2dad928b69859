// Explains why the console has no data: invalid address, not logged in, or no response.
import { Button } from '@mantine/core';
import { IconKey, IconPlugConnectedX, IconUnlink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error.ts';
import { useLocale } from '../navigation/current-locale.ts';
import { screenPath } from '../navigation/paths.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import type { ApiAddressProblem } from './api-address.ts';
import { useSrsApi } from './srs-api-context.ts';

export function AddressProblem({ problem }: { problem: ApiAddressProblem }) {
  const { t } = useTranslation('media-console');
  return (
    <EmptyState icon={<IconUnlink size={28} aria-hidden />} title={t(`problem.${problem}.title`)}>
      {t(`problem.${problem}.advice`)}
    </EmptyState>
  );
}

export function ApiProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation('media-console');
  const locale = useLocale();
  const { origin, isOwn } = useSrsApi();
  if (isOwn && error instanceof ApiError && error.status === 401) {
    return (
      <EmptyState
        icon={<IconKey size={28} aria-hidden />}
        title={t('problem.login.title')}
        action={
          <Button component="a" href={`/mgmt${screenPath(locale, 'login')}`}>
            {t('problem.login.action')}
          </Button>
        }
      >
        {t('problem.login.advice')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconPlugConnectedX size={28} aria-hidden />}
      title={t('problem.away.title')}
      action={
        <Button variant="default" onClick={onRetry}>
          {t('problem.retry')}
        </Button>
      }
    >
      {t(isOwn ? 'problem.away.own' : 'problem.away.other', { origin })}
      <br />
      <small>{error.message}</small>
    </EmptyState>
  );
}
