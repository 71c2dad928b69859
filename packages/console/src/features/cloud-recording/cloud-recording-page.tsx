// ?tab=others&ctab=deprecated: DVR and VoD, selected by ?dtab=. Languages without these pages show a note.
import { Alert, Button, SegmentedControl, Stack } from '@mantine/core';
import { IconCloudUpload, IconHistory } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ofLocale } from '../../i18n/of-locale.ts';
import { useLocale, useScreenPath } from '../../navigation/current-locale.ts';
import { RecordingFailure } from '../../shared/recording/recording-failure.tsx';
import { useQueryTab } from '../../shared/use-query-tab.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SectionsSkeleton } from '../../ui/sections-skeleton.tsx';
import { CloudSections } from './cloud-sections.tsx';
import { useDvr, useVod } from './queries.ts';
import { offersCloudRecording } from './regions.ts';

const kinds = ['dvr', 'vod'] as const;

export default function CloudRecordingPage() {
  return ofLocale(offersCloudRecording, useLocale()) ? <CloudRecording /> : <OnTheWay />;
}

function OnTheWay() {
  const { t } = useTranslation(['cloud-recording', 'scenario']);
  const toScreen = useScreenPath();
  return (
    <EmptyState
      icon={<IconCloudUpload size={26} stroke={1.6} aria-hidden />}
      title={t('onTheWay.title')}
      action={
        <Button component={Link} to={toScreen('scenario', '?tab=record')} variant="light">
          {t('scenario:tab.record')}
        </Button>
      }
    >
      {t('onTheWay.text')}
    </EmptyState>
  );
}

function CloudRecording() {
  const { t } = useTranslation('cloud-recording');
  const { tab, select } = useQueryTab('dtab', kinds, 'dvr');
  const [dvr, vod] = [useDvr(), useVod()];
  const failed = [dvr, vod].find(({ isError, data }) => isError && !data);
  return (
    <Stack gap="lg">
      <Alert variant="light" color="gray" icon={<IconHistory aria-hidden />}>
        {t('deprecated')}
      </Alert>
      <SegmentedControl
        aria-label={t('tabs.label')}
        value={tab}
        onChange={(next) => select(next)}
        data={kinds.map((value) => ({ value, label: t(`tabs.${value}`) }))}
        w="fit-content"
      />
      {dvr.data && vod.data && <CloudSections key={tab} kind={tab} dvr={dvr.data} vod={vod.data} />}
      {failed && <RecordingFailure error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && !(dvr.data && vod.data) && <SectionsSkeleton count={4} open={3} />}
    </Stack>
  );
}
