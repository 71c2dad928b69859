// Why settings were not saved. After a conflict with another operator, a button loads that operator's values.
import { Alert, Button, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { InlineFailure } from '../inline-failure.tsx';
import { isConflict } from './use-settings-form.ts';

export function SaveProblem({ error, onReload }: { error: Error | null; onReload: () => void }) {
  const { t } = useTranslation('settings-form');
  if (!error) return null;
  if (!isConflict(error)) {
    return (
      <div style={{ marginTop: '1rem' }}>
        <InlineFailure error={error} />
      </div>
    );
  }
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
