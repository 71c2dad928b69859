// Why the settings were not saved; when somebody else saved meanwhile, with the way to their values.
import { Alert, Button, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { InlineFailure } from '../../shared/inline-failure.tsx';
import classes from './callback.module.css';

export function SaveProblem({ error, onReload }: { error: Error | null; onReload: () => void }) {
  const { t } = useTranslation('settings-callback');
  if (!error) return null;
  const name = error instanceof ApiError ? error.errorName : undefined;
  if (name === 'settingsChanged') {
    return (
      <Alert role="alert" color="amber" mt="md" icon={<IconUsers aria-hidden />} title={t('changed.title')}>
        <Text size="sm" mb="sm">
          {t('changed.text')}
        </Text>
        <Button size="xs" variant="default" onClick={onReload}>
          {t('changed.reload')}
        </Button>
      </Alert>
    );
  }
  if (name === 'addressRefused') {
    return (
      <Alert role="alert" color="onair" variant="light" mt="md" title={t('refusedAddress.title')}>
        <Text size="sm">{t('refusedAddress.text')}</Text>
        <Text size="xs" c="dimmed" mt={4}>
          {error.message}
        </Text>
      </Alert>
    );
  }
  return (
    <div className={classes.below}>
      <InlineFailure error={error} />
    </div>
  );
}
