// Why a certificate was not taken, in the operator's language; the server's own words below.
import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { InlineFailure } from '../../shared/inline-failure.tsx';

const explained = [
  'certificateFormat',
  'certificateKeyFormat',
  'certificateMismatch',
  'certificateExpired',
  'certificateNotYetValid',
  'certificateChain',
  'certificateUnusable',
  'domainInvalid',
  'domainUnresolved',
  'domainElsewhere',
  'certificateOrderFailed',
  'certificateOrderRunning',
  'certificateAuthorityUnreachable',
] as const;

export function ProblemAlert({ name, message }: { name: string; message: string }) {
  const { t } = useTranslation('settings-https');
  const known = explained.find((each) => each === name);
  return (
    <Alert
      role="alert"
      variant="light"
      color="onair"
      mt="md"
      icon={<IconAlertTriangle aria-hidden />}
      title={known ? t(`problem.${known}.what`) : t('problem.other')}
    >
      {known && <Text size="sm">{t(`problem.${known}.advice`)}</Text>}
      <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
    </Alert>
  );
}

export function CallProblem({ error }: { error: Error | null }) {
  if (!error) return null;
  const name = error instanceof ApiError ? error.errorName : undefined;
  if (name !== undefined && explained.some((each) => each === name))
    return <ProblemAlert name={name} message={error.message} />;
  return (
    <div style={{ marginTop: '1rem' }}>
      <InlineFailure error={error} />
    </div>
  );
}
