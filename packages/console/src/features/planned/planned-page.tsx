// A page that this version does not have yet: says so, says what it will do, and leads to what works today.
import { Button } from '@mantine/core';
import { IconApi, IconBellRinging, IconHistory, IconLock, IconPlayerRecord } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../app/current-locale.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

const icons = {
  record: IconPlayerRecord,
  deprecated: IconHistory,
  https: IconLock,
  callback: IconBellRinging,
  api: IconApi,
} as const;

export type PlannedArea = keyof typeof icons;

export function PlannedPage({ area }: { area: PlannedArea }) {
  const { t } = useTranslation('planned');
  const toScreen = useScreenPath();
  const Icon = icons[area];
  return (
    <EmptyState
      icon={<Icon size={26} stroke={1.6} aria-hidden />}
      title={t('title', { name: t(`area.${area}.name`) })}
      action={
        <Button component={Link} to={toScreen('scenario', '?tab=live')} variant="light">
          {t('openLive')}
        </Button>
      }
    >
      <p style={{ margin: 0 }}>{t(`area.${area}.text`)}</p>
      <p style={{ margin: '0.4rem 0 0' }}>{t('notYet')}</p>
    </EmptyState>
  );
}
