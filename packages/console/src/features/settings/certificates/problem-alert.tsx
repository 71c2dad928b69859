// Explains why a certificate was refused, in the operator's language, with the detail of the server below.
import { Alert, Text } from '@mantine/core';
import type { WirePhrase } from '@srs-stack/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { useErrorTexts } from '../../../shared/errors/error-texts.ts';
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

export interface ProblemAlertProps {
  name: string;
  message: string;
  reason?: WirePhrase | undefined;
}

export function ProblemAlert({ name, message, reason }: ProblemAlertProps) {
  const { t } = useTranslation('certificates');
  const { textOf } = useErrorTexts();
  const known = explained.find((each) => each === name);
  const detail = textOf({ message, reason }, known !== undefined);
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
      {detail && (
        <Text size="sm" mt={2} style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      )}
    </Alert>
  );
}

export function CallProblem({ error }: { error: Error | null }) {
  if (!error) return null;
  if (error instanceof ApiError && explained.some((each) => each === error.errorName))
    return <ProblemAlert name={error.errorName ?? ''} message={error.message} reason={error.reason} />;
  return (
    <div style={{ marginTop: '1rem' }}>
      <InlineFailure error={error} />
    </div>
  );
}
