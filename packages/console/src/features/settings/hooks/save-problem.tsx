// Explains why the callback settings were not saved. An address that the server never contacts has a separate message.
import { Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { useErrorTexts } from '../../../shared/errors/error-texts.ts';
import { SaveProblem } from '../../../shared/settings-form/save-problem.tsx';

export function CallbackSaveProblem({ error, onReload }: { error: Error | null; onReload: () => void }) {
  const { t } = useTranslation('hooks');
  const { detailOf } = useErrorTexts();
  if (!(error instanceof ApiError && error.errorName === 'addressRefused'))
    return <SaveProblem error={error} onReload={onReload} />;
  return (
    <Alert role="alert" color="broken" variant="light" mt="md" title={t('refusedAddress.title')}>
      <Text size="sm">{t('refusedAddress.text')}</Text>
      <Text size="sm" mt={2}>
        {detailOf(error)}
      </Text>
    </Alert>
  );
}
