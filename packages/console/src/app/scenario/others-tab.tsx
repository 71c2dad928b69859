// ?tab=others: less common tasks, selected by ?ctab=.
import { SegmentedControl, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import CloudRecordingPage from '../../features/cloud-recording/cloud-recording-page.tsx';
import SrtGuidePage from '../../features/srt-guide/srt-guide-page.tsx';
import { useQueryTab } from '../../shared/use-query-tab.ts';

const childTabs = ['other', 'deprecated'] as const;

export default function OthersTab() {
  const { t } = useTranslation('scenario');
  const { tab, select } = useQueryTab('ctab', childTabs, 'other');
  return (
    <Stack gap="lg">
      <SegmentedControl
        aria-label={t('tab.others')}
        value={tab}
        onChange={(next) => select(next)}
        data={childTabs.map((value) => ({ value, label: t(`childTab.${value}`) }))}
        w="fit-content"
      />
      {tab === 'other' ? <SrtGuidePage /> : <CloudRecordingPage />}
    </Stack>
  );
}
