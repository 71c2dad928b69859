// The language menu. A selection replaces only the language in the URL.
import { IconLanguage } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { type Locale, languages, supportedLocales } from '../../i18n/languages.ts';
import { storeLocale } from '../../i18n/stored-locale.ts';
import { useLocale } from '../../navigation/current-locale.ts';
import { withLocale } from '../../navigation/paths.ts';
import { MenuButton } from '../../ui/menu-button.tsx';

const choices = supportedLocales.map((value) => ({
  value,
  label: languages[value].name,
  lang: languages[value].htmlLang,
}));

export function LanguageMenu() {
  const { t } = useTranslation();
  const locale = useLocale();
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const choose = (next: Locale) => {
    storeLocale(next);
    void navigate(`${withLocale(pathname, next)}${search}${hash}`);
  };
  const face = (
    <>
      <IconLanguage size={19} aria-hidden />
      <span lang={languages[locale].htmlLang}>{languages[locale].short}</span>
    </>
  );
  const label = `${t('language')}: ${languages[locale].short}`;
  return <MenuButton label={label} face={face} value={locale} choices={choices} onChoose={choose} />;
}
