// Commands that open a page: every tab of scenarios and settings, and the other screens of the navigation.
import type { Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useScreenPath } from '../../navigation/current-locale.ts';
import type { Screen } from '../../navigation/paths.ts';
import { keysOfPage, searchOfTab } from '../keyboard/page-keys.ts';
import { scenarioIcons, scenarioTabs } from '../scenario/scenario-tabs.ts';
import { settingsIcons, settingsTabs } from '../settings/settings-tabs.ts';
import { navigationIcons } from '../shell/navigation.ts';
import type { Command, CommandGroup } from './commands.ts';
import { useSearchTerms } from './search-terms.ts';

const screens = ['streams', 'rooms', 'dashboard', 'settings', 'components', 'contact'] as const;

export function usePageCommands(): Command[] {
  const { t } = useTranslation(['palette', 'scenario', 'settings', 'common']);
  const navigate = useNavigate();
  const toScreen = useScreenPath();
  const terms = useSearchTerms();
  const open = (group: CommandGroup, screen: Screen, label: string, Sign: Icon, tab?: string): Command => {
    const keys = keysOfPage(screen, tab);
    return {
      id: tab ?? screen,
      group,
      label,
      keywords: terms[tab ?? screen] ?? '',
      icon: <Sign size={18} stroke={1.75} aria-hidden />,
      ...(keys === undefined ? {} : { keys }),
      run: () => void navigate(toScreen(screen, searchOfTab(tab))),
    };
  };
  return [
    ...scenarioTabs.map((tab) => open('pages', 'scenario', t(`scenario:tab.${tab}`), scenarioIcons[tab], tab)),
    ...screens.map((screen) => open('pages', screen, t(`common:navigation.${screen}`), navigationIcons[screen])),
    ...settingsTabs.map((tab) => open('settings', 'settings', t(`settings:tab.${tab}`), settingsIcons[tab], tab)),
  ];
}
