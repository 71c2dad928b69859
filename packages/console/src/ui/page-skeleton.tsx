// Placeholder of a loading page, as high as the window, so that the footer does not move.
import { Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export function PageSkeleton() {
  const { t } = useTranslation();
  return (
    <Stack gap="lg" mih="100vh" role="status" aria-label={t('loading')}>
      <Skeleton height={34} width="min(16rem, 60%)" />
      <Skeleton height={40} width="min(34rem, 100%)" />
      <Skeleton height={180} radius="lg" />
      <Skeleton height={64} radius="lg" />
      <Skeleton height={64} radius="lg" />
    </Stack>
  );
}
