import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { useEnvironment } from '../../shared/environment.ts';
import { MediaServerLack } from '../../shared/media-server-lack.tsx';
import { QueryFailure } from '../../shared/query-failure.tsx';
import { StreamList } from '../../shared/streams/stream-list.tsx';
import { StreamSourceContext } from '../../shared/streams/stream-source.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { createConsoleSource } from './console-source.ts';

export default function StreamsPage() {
  const { t } = useTranslation('streams');
  const toScreen = useScreenPath();
  const environment = useEnvironment();
  const source = useMemo(() => createConsoleSource(environment), [environment]);
  return (
    <StreamSourceContext value={source}>
      <PageTitle title={t('title')}>{t('about')}</PageTitle>
      <MediaServerLack ability="measurements" />
      <StreamList
        emptyAction={
          <Button component={Link} to={toScreen('scenario', '?tab=live')}>
            {t('empty.action')}
          </Button>
        }
        failure={(error, retry) => <QueryFailure error={error} onRetry={retry} />}
      />
    </StreamSourceContext>
  );
}
