// ?tab=hls: whether HLS counts every viewer or allows caches, the segment length, and the rewind window.
import { Stack } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconBolt, IconWaveSawTool } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { EquivalentCall } from '../../../shared/equivalent-call.tsx';
import { MediaServerLack } from '../../../shared/media-server-lack.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.ts';
import { LowLatencyAddress } from './low-latency-address.tsx';
import {
  useHighPerformanceHls,
  useLowLatencyHls,
  useUpdateHighPerformanceHls,
  useUpdateLowLatencyHls,
} from './queries.ts';
import { RewindPanel } from './rewind-panel.tsx';
import { SwitchChoice } from './switch-choice.tsx';

export default function HlsPage() {
  const { t } = useTranslation('hls-settings');
  const contexts = useHighPerformanceHls();
  const latency = useLowLatencyHls();
  const updateContexts = useUpdateHighPerformanceHls(() => void showToast({ message: t('contexts.saved') }));
  const updateLatency = useUpdateLowLatencyHls(() => void showToast({ message: t('latency.saved') }));
  return (
    <Stack gap="lg">
      <MediaServerLack ability="reload" />
      <Panel
        title={t('contexts.title')}
        description={t('contexts.text')}
        icon={<IconWaveSawTool size={20} aria-hidden />}
      >
        <SwitchChoice
          label={t('contexts.title')}
          query={contexts}
          isOn={contexts.data?.noHlsCtx}
          off={{ name: t('contexts.counted.name'), text: t('contexts.counted.text') }}
          on={{ name: t('contexts.cached.name'), text: t('contexts.cached.text') }}
          savingTo={updateContexts.isPending ? (updateContexts.variables.noHlsCtx ?? false) : undefined}
          onChoose={(noHlsCtx) => updateContexts.mutate({ noHlsCtx, revision: contexts.data?.revision })}
        />
        <EquivalentCall
          endpoint={calls.updateHighPerformanceHls}
          request={{ noHlsCtx: contexts.data?.noHlsCtx ?? false }}
        />
      </Panel>
      <Panel title={t('latency.title')} description={t('latency.text')} icon={<IconBolt size={20} aria-hidden />}>
        <SwitchChoice
          label={t('latency.title')}
          query={latency}
          isOn={latency.data?.hlsLowLatency}
          off={{ name: t('latency.normal.name'), text: t('latency.normal.text') }}
          on={{ name: t('latency.low.name'), text: t('latency.low.text') }}
          savingTo={updateLatency.isPending ? (updateLatency.variables.hlsLowLatency ?? false) : undefined}
          onChoose={(hlsLowLatency) => updateLatency.mutate({ hlsLowLatency, revision: latency.data?.revision })}
        />
        {latency.data?.hlsLowLatency && <LowLatencyAddress />}
        <EquivalentCall
          endpoint={calls.updateLowLatencyHls}
          request={{ hlsLowLatency: latency.data?.hlsLowLatency ?? false }}
        />
      </Panel>
      <RewindPanel />
    </Stack>
  );
}
