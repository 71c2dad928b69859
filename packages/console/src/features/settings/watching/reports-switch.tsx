// Whether players report playback quality; saved immediately.
import { Switch } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation } from '../../../api/api-query.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';
import { showToast } from '../../../ui/toast.ts';

export function ReportsSwitch({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation('watching');
  const client = useQueryClient();
  const onError = useReportError();
  const change = useMutation({
    ...apiMutation(calls.updateViewerReports),
    onSuccess: async (_answer, { enabled }) => {
      await client.invalidateQueries({ queryKey: apiKey(calls.queryWatching) });
      void showToast({ message: t(enabled ? 'reports.on' : 'reports.off') });
    },
    onError,
  });
  return (
    <Switch
      label={t('reports.switch')}
      description={t('reports.hint')}
      checked={change.isPending ? change.variables.enabled : isOn}
      disabled={change.isPending}
      onChange={({ currentTarget: { checked } }) => change.mutate({ enabled: checked })}
    />
  );
}
