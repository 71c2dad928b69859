import { Skeleton } from '@mantine/core';
import type { TranscodeConfig } from '@srs-stack/contract';
import { defaultApp } from '@srs-stack/contract/constants.ts';
import { IconAdjustments, IconInfoCircle, IconServer2, IconTransform, IconVideo } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { readStreamName } from '../../shared/publish-guide/stream-name.ts';
import { useAddresses } from '../../shared/publish-guide/use-addresses.ts';
import { FlowDiagram } from '../../shared/push-target/flow-diagram.tsx';
import { TargetButtons } from '../../shared/push-target/target-buttons.tsx';
import { QueryFailure } from '../../shared/query-failure.tsx';
import { PageColumns } from '../../ui/page-columns.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SectionsSkeleton } from '../../ui/sections-skeleton.tsx';
import { outputName } from './output-stream.ts';
import { useApplyTranscode, usePublishSecret, useTranscodeConfig } from './queries.ts';
import classes from './transcode.module.css';
import { TranscodeFormFields } from './transcode-form-fields.tsx';
import { TranscodeStatus } from './transcode-status.tsx';
import { useTranscodeForm } from './use-transcode-form.ts';

export default function TranscodePage() {
  const config = useTranscodeConfig();
  const secret = usePublishSecret();
  const failed = [config, secret].find(({ isError, data }) => isError && data === undefined);
  if (failed) return <QueryFailure error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!config.data || !secret.data) return <TranscodeSkeleton />;
  return <Transcode config={config.data} publishSecret={secret.data.pubNoAuth ? '' : secret.data.publish} />;
}

function TranscodeSkeleton() {
  return (
    <PageColumns side={<StatusSkeleton />} isSideInView>
      <SectionsSkeleton count={2} open={1} />
    </PageColumns>
  );
}

function StatusSkeleton() {
  return (
    <div className={classes.status}>
      <Skeleton height={20} width="9rem" />
      <Skeleton className={classes.picture!} />
    </div>
  );
}

function Transcode({ config, publishSecret }: { config: TranscodeConfig; publishSecret: string }) {
  const { t } = useTranslation('transcode');
  return (
    <PageColumns side={<TranscodeStatus config={config} publishSecret={publishSecret} />} isSideInView>
      <Introduction config={config} />
      <Panel title={t('form.title')} description={t('form.text')} icon={<IconAdjustments size={20} aria-hidden />}>
        <Settings config={config} publishSecret={publishSecret} />
      </Panel>
    </PageColumns>
  );
}

function Settings({ config, publishSecret }: { config: TranscodeConfig; publishSecret: string }) {
  const { t } = useTranslation('transcode');
  const addresses = useAddresses(readStreamName(localStorage), publishSecret);
  const own = { server: addresses.rtmpServer, secret: addresses.transcodeStreamKey };
  const form = useTranscodeForm(config, own, useApplyTranscode());
  return (
    <div data-form>
      <TranscodeFormFields {...form} />
      <TargetButtons form={form} startText={t('start')} stopText={t('stop')} />
    </div>
  );
}

/** Names the saved destination, or the suggested destination if nothing is saved. */
function Introduction({ config }: { config: TranscodeConfig }) {
  const { t } = useTranslation('transcode');
  const output = outputName(config, location.hostname) || `${defaultApp}/${readStreamName(localStorage)}-trans`;
  return (
    <Panel title={t('introduction.title')} icon={<IconInfoCircle size={20} aria-hidden />}>
      <FlowDiagram
        steps={[
          { sign: <IconVideo aria-hidden />, name: t('introduction.source') },
          { sign: <IconTransform aria-hidden />, name: t('introduction.transcoder') },
        ]}
        ends={[{ sign: <IconServer2 size={18} aria-hidden />, name: output }]}
      >
        <li>{t('introduction.what')}</li>
        <li>{t('introduction.newest')}</li>
        <li>{t('introduction.cost')}</li>
      </FlowDiagram>
    </Panel>
  );
}
