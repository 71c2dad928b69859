// Button that starts or stops the recording of one stream, independent of the recording rules.
import { Button } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { IconPlayerRecord, IconPlayerStop } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { showToast } from '../../ui/toast.ts';
import { useReportError } from '../errors/error-report.tsx';

interface StreamName {
  app: string;
  stream: string;
}

/** Suspends separately, because its texts may load later than the page. */
export function RecordStreamButton(props: StreamName) {
  return (
    <Suspense>
      <StreamRecording {...props} />
    </Suspense>
  );
}

function StreamRecording({ app, stream }: StreamName) {
  const { t } = useTranslation('recording');
  const client = useQueryClient();
  const reportError = useReportError();
  const key = apiKey(calls.queryStreamRecording, { app, stream });
  const { data } = useQuery({
    ...apiQuery(calls.queryStreamRecording, { app, stream }),
    refetchInterval: pollIntervalMs,
  });
  const change = useMutation({
    ...apiMutation(calls.updateStreamRecording),
    onSuccess: (_, { record }) =>
      void showToast({ message: t(record ? 'stream.started' : 'stream.ended', { stream }) }),
    onError: reportError,
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
  if (!data) return null;
  if (!data.wanted) {
    return (
      <Button
        size="xs"
        variant="default"
        loading={change.isPending}
        leftSection={<IconPlayerRecord size={16} aria-hidden />}
        onClick={() => change.mutate({ app, stream, record: true })}
      >
        {t('stream.start')}
      </Button>
    );
  }
  return (
    <ConfirmPopover
      text={t('stream.endConsequence', { stream })}
      onConfirm={() => change.mutate({ app, stream, record: false })}
    >
      <Button
        size="xs"
        variant="default"
        loading={change.isPending}
        leftSection={<IconPlayerStop size={16} color="var(--on-air)" aria-hidden />}
      >
        {t(data.since === '' ? 'stream.endSoon' : 'stream.end')}
      </Button>
    </ConfirmPopover>
  );
}
