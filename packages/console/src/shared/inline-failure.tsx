// A step that failed, told where it was taken: what happened, what to do, and the server's own words.
import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../app/errors/error-description.ts';

export function InlineFailure({ error }: { error: unknown }) {
  const { t } = useTranslation('errors');
  const { explanation, requestId } = describeError(error);
  const message = error instanceof Error ? error.message : String(error);
  return (
    <Alert
      role="alert"
      variant="light"
      color="onair"
      p="sm"
      icon={<IconAlertTriangle aria-hidden />}
      title={explanation ? t(`explained.${explanation}.what`) : t('unexplained')}
    >
      {explanation && <Text size="sm">{t(`explained.${explanation}.advice`)}</Text>}
      <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {message}
        {requestId && ` (${t('requestId')} ${requestId})`}
      </Text>
    </Alert>
  );
}
