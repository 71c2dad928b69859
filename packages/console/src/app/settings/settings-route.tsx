// routers-settings: the settings of the server, one at a time, chosen by ?tab=.
import { Suspense, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryTab } from '../../shared/use-query-tab.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SettingsList } from './settings-list.tsx';
import classes from './settings-route.module.css';
import { type SettingsTab, settingsPages, settingsTabs } from './settings-tabs.ts';

export default function SettingsRoute() {
  const { t } = useTranslation('settings');
  const { tab, select } = useQueryTab('tab', settingsTabs, 'auth');
  const id = useId();
  const Page = settingsPages[tab];
  const idOf = (each: SettingsTab) => `${id}-${each}`;
  return (
    <div className={classes.frame}>
      <PageTitle title={t('title')} />
      <div className={classes.columns}>
        <SettingsList current={tab} idOf={idOf} panelId={`${id}-panel`} onSelect={(next) => select(next)} />
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={idOf(tab)} key={tab}>
          <Suspense fallback={<PageSkeleton />}>
            <Page />
          </Suspense>
        </div>
      </div>
    </div>
  );
}
