import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun, IconSunMoon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { MenuButton } from '../ui/menu-button.tsx';

const icons = { light: IconSun, dark: IconMoon, auto: IconSunMoon } as const;

export function ThemeMenu() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Face = icons[colorScheme];
  const choices = (Object.keys(icons) as MantineColorScheme[]).map((value) => {
    const Icon = icons[value];
    return { value, label: t(`theme.${value}`), icon: <Icon size={18} aria-hidden /> };
  });
  return (
    <MenuButton
      label={t('theme.label')}
      face={<Face size={19} aria-hidden />}
      value={colorScheme}
      choices={choices}
      onChoose={setColorScheme}
    />
  );
}
