// routers-settings: the settings of the server as tabs, chosen by ?tab=.
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryTab } from '../../shared/use-query-tab.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { settingsIcons, settingsPages, settingsTabs } from './settings-tabs.ts';

export default function SettingsRoute() {
  const { t } = useTranslation('settings');
  const { tab, select } = useQueryTab('tab', settingsTabs, 'auth');
  const Page = settingsPages[tab];
  const tabs = settingsTabs.map((value) => {
    const Icon = settingsIcons[value];
    return { value, label: t(`tab.${value}`), icon: <Icon size={18} stroke={1.75} aria-hidden /> };
  });
  return (
    <>
      <PageTitle title={t('title')} />
      <PageTabs label={t('title')} tabs={tabs} value={tab} onChange={(next) => select(next)}>
        <Suspense fallback={<PageSkeleton />}>
          <Page />
        </Suspense>
      </PageTabs>
    </>
  );
}
