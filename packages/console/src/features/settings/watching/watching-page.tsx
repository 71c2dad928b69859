// ?tab=watch: access rules, signed links, signing keys, and playback reports.
import { Skeleton, Stack } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconChartDots, IconKey, IconLink, IconLockAccess } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../../api/api-query.ts';
import { QueryPlaceholder } from '../../../shared/query-placeholder.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { KeyList } from './key-list.tsx';
import { LinkForm } from './link-form.tsx';
import { ReportsSwitch } from './reports-switch.tsx';
import { RulesForm } from './rules-form.tsx';

export default function WatchingPage() {
  const { t } = useTranslation('watching');
  const watching = useQuery(apiQuery(calls.queryWatching, {}));
  if (!watching.data) return <QueryPlaceholder query={watching} skeleton={<Skeleton height={720} />} />;
  const { data } = watching;
  return (
    <Stack gap="lg">
      <Panel title={t('rules.title')} description={t('rules.text')} icon={<IconLockAccess size={20} aria-hidden />}>
        <RulesForm stored={data} />
      </Panel>
      <Panel title={t('link.title')} description={t('link.text')} icon={<IconLink size={20} aria-hidden />}>
        <LinkForm hasKey={data.keys.length > 0} />
      </Panel>
      <Panel title={t('keys.title')} description={t('keys.text')} icon={<IconKey size={20} aria-hidden />}>
        <KeyList keys={data.keys} />
      </Panel>
      <Panel title={t('reports.title')} description={t('reports.text')} icon={<IconChartDots size={20} aria-hidden />}>
        <ReportsSwitch isOn={data.viewerReports} />
      </Panel>
    </Stack>
  );
}
