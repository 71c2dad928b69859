// Commands that change the theme and the language, show the shortcuts, and log out.
import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconBrightnessAuto, IconKeyboard, IconLanguage, IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { languages, supportedLocales } from '../../i18n/languages.ts';
import { storeLocale } from '../../i18n/stored-locale.ts';
import { useLocale, useScreenPath } from '../../navigation/current-locale.ts';
import { withLocale } from '../../navigation/paths.ts';
import type { Command } from './commands.ts';

const schemes = { light: IconSun, dark: IconMoon, auto: IconBrightnessAuto } as const;

export function useActionCommands(onShowKeys: () => void): Command[] {
  const { t } = useTranslation(['palette', 'common']);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const locale = useLocale();
  const navigate = useNavigate();
  const toScreen = useScreenPath();
  const { pathname, search, hash } = useLocation();
  const appearances = (Object.keys(schemes) as MantineColorScheme[])
    .filter((scheme) => scheme !== colorScheme)
    .map((scheme): Command => {
      const Sign = schemes[scheme];
      return {
        id: `appearance theme ${scheme}`,
        group: 'actions',
        label: `${t('common:theme.label')}: ${t(`common:theme.${scheme}`)}`,
        icon: <Sign size={18} aria-hidden />,
        run: () => setColorScheme(scheme),
      };
    });
  const others = supportedLocales
    .filter((each) => each !== locale)
    .map(
      (each): Command => ({
        id: `language ${each}`,
        group: 'actions',
        label: `${t('common:language')}: ${languages[each].name}`,
        icon: <IconLanguage size={18} aria-hidden />,
        run: () => {
          storeLocale(each);
          void navigate(`${withLocale(pathname, each)}${search}${hash}`);
        },
      }),
    );
  return [
    ...appearances,
    ...others,
    {
      id: 'keyboard shortcuts help',
      group: 'actions',
      label: t('keys.title'),
      keys: '?',
      icon: <IconKeyboard size={18} aria-hidden />,
      run: onShowKeys,
    },
    {
      id: 'logout sign out',
      group: 'actions',
      label: t('common:navigation.logout'),
      icon: <IconLogout size={18} aria-hidden />,
      run: () => void navigate(toScreen('logout')),
    },
  ];
}
