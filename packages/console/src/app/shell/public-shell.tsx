// The frame of the setup and login pages: an illustration of a signal beside the form.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Screen } from '../../navigation/paths.ts';
import { ReportedError } from '../../shared/errors/reported-error.tsx';
import { ThemeMenu } from '../../shared/theme-menu.tsx';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { useBeian, useDocumentTitle } from './beian.ts';
import { ControlPlaneBanner } from './control-plane-banner.tsx';
import { Footer } from './footer.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { NavigationLinks } from './navigation-links.tsx';
import classes from './public-shell.module.css';
import { SignalImage } from './signal-image.tsx';

export function PublicShell({ navigation, children }: { navigation: readonly Screen[]; children: ReactNode }) {
  const { t } = useTranslation();
  const { title } = useBeian();
  useDocumentTitle();
  return (
    <div className={classes.frame}>
      <aside className={classes.picture}>
        <div className={classes.brand}>
          <BrandMark size={36} />
          <span>{title}</span>
        </div>
        <SignalImage />
        <p className={classes.claim}>{t('claim')}</p>
      </aside>
      <div className={classes.side}>
        <header className={classes.top}>
          <div className={classes.smallBrand}>
            <BrandMark size={30} />
            <span>{title}</span>
          </div>
          <NavigationLinks screens={navigation} className={classes.navigation} iconSize={18} />
          <div className={classes.menus}>
            <LanguageMenu />
            <ThemeMenu />
          </div>
        </header>
        <main className={classes.main}>
          <div className={classes.content}>
            <ReportedError />
            {children}
          </div>
        </main>
        <Footer />
      </div>
      <ControlPlaneBanner />
    </div>
  );
}
