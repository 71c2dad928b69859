// Explains why an encoder was refused, and the remedy.
import { Alert, Text } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { RefusalNote } from './live-card-state.ts';

export function RefusalAlert({ note: { refusal, sameName, agoSeconds } }: { note: RefusalNote }) {
  const { t } = useTranslation('live');
  const when =
    agoSeconds < 60 ? t('ago.seconds', { n: agoSeconds }) : t('ago.minutes', { n: Math.floor(agoSeconds / 60) });
  const path = `${refusal.app}/${refusal.stream}`;
  return (
    <Alert
      variant="light"
      color="broken"
      role="status"
      icon={<IconHandStop aria-hidden />}
      title={t(`refusal.${refusal.reason}.title`)}
      p="sm"
    >
      <Text size="sm">{t(`refusal.${refusal.reason}.remedy`)}</Text>
      <Text size="xs" c="dimmed" mt={6} title={refusal.detail}>
        {t(sameName ? 'refusal.attempt' : 'refusal.attemptOther', {
          when,
          ip: refusal.ip,
          protocol: refusal.protocol.toUpperCase(),
          path,
        })}
      </Text>
    </Alert>
  );
}
