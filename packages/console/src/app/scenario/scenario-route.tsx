// routers-scenario: the operator's tasks as tabs, chosen by ?tab=.
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryTab } from '../../shared/use-query-tab.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { scenarioIcons, scenarioPages, scenarioTabs } from './scenario-tabs.ts';

export default function ScenarioRoute() {
  const { t } = useTranslation('scenario');
  const { tab, select } = useQueryTab('tab', scenarioTabs, 'tutorials');
  const Page = scenarioPages[tab];
  const tabs = scenarioTabs.map((value) => {
    const Icon = scenarioIcons[value];
    return { value, label: t(`tab.${value}`), icon: <Icon size={18} stroke={1.75} aria-hidden /> };
  });
  return (
    <>
      <PageTitle title={t('title')} />
      <PageTabs label={t('title')} tabs={tabs} value={tab} onChange={(next) => select(next, ['ctab'])}>
        <Suspense fallback={<PageSkeleton />}>
          <Page />
        </Suspense>
      </PageTabs>
    </>
  );
}
