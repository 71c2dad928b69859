// Error while loading the recording rules. An ended session opens the logout screen; other errors show a retry button.
import { Alert, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { ApiError, isSessionExpired } from '../../api/api-error.ts';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { showToast } from '../../ui/toast.ts';
import { describeError } from '../errors/error-description.ts';
import { QueryFailure } from '../query-failure.tsx';

export function RecordingFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation(['recording', 'errors']);
  const toScreen = useScreenPath();
  const refusal = error instanceof ApiError && error.code !== 0 ? error : undefined;
  const isExpired = isSessionExpired(error);
  const { explanation } = describeError(error);
  const message = explanation ? t(`errors:explained.${explanation}.what`) : (refusal?.message ?? '');
  const facts = { code: refusal?.code ?? 0, message };
  const expired = isExpired ? t('failure.expired', facts) : '';
  useEffect(() => {
    if (expired) void showToast({ message: expired, tone: 'bad' });
  }, [expired]);
  if (isExpired) return <Navigate to={toScreen('logout')} replace />;
  return (
    <Stack gap="md">
      {refusal && (
        <Alert role="alert" variant="light" color="broken" icon={<IconAlertTriangle aria-hidden />}>
          {t('failure.server', facts)}
        </Alert>
      )}
      <QueryFailure error={error} onRetry={onRetry} />
    </Stack>
  );
}
