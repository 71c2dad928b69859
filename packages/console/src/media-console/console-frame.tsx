import { IconArrowLeft, IconLanguage, IconServer } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { languages } from '../i18n/languages.ts';
import { useLocale } from '../navigation/current-locale.ts';
import { screenPath } from '../navigation/paths.ts';
import { ThemeMenu } from '../shared/theme-menu.tsx';
import { BrandMark } from '../ui/brand-mark.tsx';
import classes from './media-console.module.css';

const pages = ['summaries', 'streams', 'clients', 'vhosts'] as const;
/** Language and page file of the link to the other language. */
const otherPage = { zh: { locale: 'en', file: 'en_index.html' }, en: { locale: 'zh', file: 'ng_index.html' } } as const;

export function ConsoleFrame({ origin, children }: { origin: string; children: ReactNode }) {
  const { t } = useTranslation('media-console');
  const locale = useLocale();
  const { pathname, search } = useLocation();
  const other = otherPage[locale];
  return (
    <div className={classes.frame}>
      <header className={classes.top}>
        <h1 className={classes.brand}>
          <BrandMark size={30} />
          {t('title')}
        </h1>
        {origin && (
          <span className={classes.server}>
            <IconServer size={15} aria-hidden /> {origin}
          </span>
        )}
        <span className={classes.menus}>
          <a href={`/mgmt${screenPath(locale, 'streams')}`} className={classes.link}>
            <IconArrowLeft size={16} aria-hidden /> {t('console')}
          </a>
          <a
            href={`${other.file}#${pathname}${search}`}
            className={classes.link}
            lang={languages[other.locale].htmlLang}
          >
            <IconLanguage size={16} aria-hidden /> {languages[other.locale].name}
          </a>
          <ThemeMenu />
        </span>
      </header>
      <nav className={classes.pages} aria-label={t('pages')}>
        {pages.map((page) => (
          <Link
            key={page}
            to={{ pathname: `/${page}`, search: withoutStream(search) }}
            aria-current={pathname === `/${page}` ? 'page' : undefined}
          >
            {t(`page.${page}`)}
          </Link>
        ))}
      </nav>
      <main className={classes.main}>{children}</main>
    </div>
  );
}

/** Removes the selected stream from the query, for links to other pages. */
function withoutStream(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('stream');
  return query.size > 0 ? `?${query}` : '';
}
