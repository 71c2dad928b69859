// Shown after HLS was enabled while an SRS has live streams.
// SRS produces HLS only after the encoders of these streams reconnect. The button disconnects the encoders.
import { Button } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/api-client.ts';
import { apiKey, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { showToast } from '../../ui/toast.ts';
import classes from './components-page.module.css';

export function ReconnectPublishers() {
  const { t } = useTranslation('components');
  const client = useQueryClient();
  const reportError = useReportError();
  const streams = useQuery(apiQuery(calls.queryLive, {})).data?.streams ?? [];
  const reconnect = useMutation({
    mutationFn: async () => {
      for (const { vhost, app, stream } of streams) await call(calls.kickStream, { vhost, app, stream });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: apiKey(calls.queryLive) });
      await showToast({ message: t('parts.reconnect.done') });
    },
    onError: reportError,
  });
  if (streams.length === 0 || reconnect.isSuccess) return null;
  return (
    <div className={classes.partDetail} role="status">
      <p>{t('parts.reconnect.text', { count: streams.length })}</p>
      <Button size="xs" variant="default" loading={reconnect.isPending} onClick={() => reconnect.mutate()}>
        {t('parts.reconnect.button')}
      </Button>
    </div>
  );
}
