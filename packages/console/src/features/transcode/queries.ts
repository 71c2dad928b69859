import type { TranscodeConfig } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { showToast } from '../../ui/toast.ts';

export function useTranscodeConfig() {
  return useQuery(apiQuery(calls.queryTranscode, {}));
}

export function useTranscodeTask() {
  return useQuery({ ...apiQuery(calls.queryTranscodeTask, {}), refetchInterval: pollIntervalMs });
}

export function usePublishSecret() {
  return useQuery(apiQuery(calls.queryPublishSecret, {}));
}

export function useApplyTranscode() {
  const { t } = useTranslation('transcode');
  const client = useQueryClient();
  const apply = useMutation({
    ...apiMutation(calls.applyTranscode),
    onSuccess: async (_answer, { all }) => {
      await Promise.all(
        [calls.queryTranscode, calls.queryTranscodeTask].map((endpoint) =>
          client.invalidateQueries({ queryKey: apiKey(endpoint) }),
        ),
      );
      await showToast({ message: t(all ? 'saved.started' : 'saved.stopped') });
    },
    onError: useReportError(),
  });
  return (config: TranscodeConfig) => apply.mutateAsync(config);
}
