// Error beside the control that caused it, with a remedy and the server's message.
import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { describeError } from './errors/error-description.ts';
import { ErrorFacts } from './errors/error-facts.tsx';
import { useErrorTexts } from './errors/error-texts.ts';

export function InlineFailure({ error }: { error: unknown }) {
  const { t } = useTranslation('errors');
  const { explanation, requestId } = describeError(error);
  const errorTexts = useErrorTexts();
  const detail = explanation ? errorTexts.detailOf(error) : '';
  return (
    <Alert
      role="alert"
      variant="light"
      color="broken"
      p="sm"
      icon={<IconAlertTriangle aria-hidden />}
      title={explanation ? t(`explained.${explanation}.what`) : t('unexplained')}
    >
      {explanation && <Text size="sm">{t(`explained.${explanation}.advice`)}</Text>}
      {detail && (
        <Text size="sm" mt={2} style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      )}
      <ErrorFacts error={error} />
      {requestId && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('requestId')} {requestId}
        </Text>
      )}
    </Alert>
  );
}
