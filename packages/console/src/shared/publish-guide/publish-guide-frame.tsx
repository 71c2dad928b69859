// Shows a guide once the publish secret is there, or says why it is not.
import { Alert, Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { GuideContext } from './guide-context.ts';
import type { PublishGuide } from './use-publish-guide.ts';

export function PublishGuideFrame({ publishGuide, children }: { publishGuide: PublishGuide; children: ReactNode }) {
  const { t } = useTranslation('live');
  const { guide, status, error, retry } = publishGuide;
  switch (status) {
    case 'loading':
      return <Skeleton height="24rem" role="status" aria-label={t('loadingAddresses')} />;
    case 'failed':
      return (
        <Alert color="onair" variant="light" title={t('secretFailed.title')} role="alert">
          <p>{error?.message}</p>
          <Button size="xs" variant="default" onClick={retry}>
            {t('secretFailed.retry')}
          </Button>
        </Alert>
      );
    case 'ready':
      return <GuideContext value={guide}>{children}</GuideContext>;
  }
}
