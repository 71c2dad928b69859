import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../navigation/current-locale.ts';
import { screenPath } from '../../navigation/paths.ts';
import { StreamList } from '../../shared/streams/stream-list.tsx';
import { ApiProblem } from '../api-problem.tsx';

export function StreamsPage() {
  const { t } = useTranslation('streams');
  const locale = useLocale();
  return (
    <StreamList
      emptyAction={
        <Button component="a" href={`/mgmt${screenPath(locale, 'scenario')}?tab=live`}>
          {t('empty.action')}
        </Button>
      }
      failure={(error, retry) => <ApiProblem error={error} onRetry={retry} />}
    />
  );
}
