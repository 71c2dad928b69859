// Why a certificate was not taken, in the operator's language; below it what the server says of this case.
import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { isSentenceOf, useErrorWords } from '../../../shared/errors/error-words.ts';
import { InlineFailure } from '../../../shared/inline-failure.tsx';

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

export function ProblemAlert({ name, detail }: { name: string; detail: string }) {
  const { t } = useTranslation('certificates');
  const known = explained.find((each) => each === name);
  return (
    <Alert
      role="alert"
      variant="light"
      color="broken"
      mt="md"
      icon={<IconAlertTriangle aria-hidden />}
      title={known ? t(`problem.${known}.what`) : t('problem.other')}
    >
      {known && <Text size="sm">{t(`problem.${known}.advice`)}</Text>}
      {detail && !isSentenceOf(known, detail) && (
        <Text size="sm" mt={2} style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      )}
    </Alert>
  );
}

export function CallProblem({ error }: { error: Error | null }) {
  const { detailOf } = useErrorWords();
  if (!error) return null;
  const name = error instanceof ApiError ? error.errorName : undefined;
  if (name !== undefined && explained.some((each) => each === name))
    return <ProblemAlert name={name} detail={detailOf(error)} />;
  return (
    <div style={{ marginTop: '1rem' }}>
      <InlineFailure error={error} />
    </div>
  );
}
