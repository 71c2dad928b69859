// Settings of the transcoder, its state every ten seconds, and the publish secret that is masked.
import { endpoints, pollIntervalMs, type TranscodeConfig } from '@srs-stack/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { showToast } from '../../ui/toast.ts';

export function useTranscodeConfig() {
  return useQuery(apiQuery(endpoints.queryTranscode, {}));
}

export function useTranscodeTask() {
  return useQuery({ ...apiQuery(endpoints.queryTranscodeTask, {}), refetchInterval: pollIntervalMs });
}

export function usePublishSecret() {
  return useQuery(apiQuery(endpoints.queryPublishSecret, {}));
}

export function useApplyTranscode() {
  const { t } = useTranslation('transcode');
  const client = useQueryClient();
  const apply = useMutation({
    ...apiMutation(endpoints.applyTranscode),
    onSuccess: async (_answer, { all }) => {
      await Promise.all(
        [endpoints.queryTranscode, endpoints.queryTranscodeTask].map((endpoint) =>
          client.invalidateQueries({ queryKey: apiKey(endpoint) }),
        ),
      );
      await showToast({ message: t(all ? 'saved.started' : 'saved.stopped') });
    },
    onError: useReportError(),
  });
  return (config: TranscodeConfig) => apply.mutateAsync(config);
}
