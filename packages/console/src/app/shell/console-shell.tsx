// The frame of every page after login: rail (or bottom bar on a phone), status strip, page, footer.
import { type ReactNode, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { type Screen, screenOfPath } from '../../navigation/paths.ts';
import { ErrorAlert } from '../../shared/errors/error-alert.tsx';
import { ErrorBoundary } from '../../shared/errors/error-boundary.tsx';
import { ReportedError } from '../../shared/errors/reported-error.tsx';
import { ThemeMenu } from '../../shared/theme-menu.tsx';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { furtherLinks, navigationOfStage } from '../access/access-stage.ts';
import { PaletteHost } from '../palette/palette-host.tsx';
import { useBeian } from './beian.ts';
import classes from './console-shell.module.css';
import { ControlPlaneBanner } from './control-plane-banner.tsx';
import { DrainBanner } from './drain-banner.tsx';
import { useFirstInvalid } from './first-invalid.ts';
import { Footer } from './footer.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { useLiveMark } from './live-mark.ts';
import { NavigationLinks } from './navigation-links.tsx';
import { StatusStrip } from './status-strip.tsx';

const links = navigationOfStage('signed-in');

export default function ConsoleShell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  useLiveMark();
  useTopOfPage(screenOfPath(pathname));
  useFirstInvalid();
  return (
    <div className={classes.frame}>
      <a href="#page" className={classes.skip}>
        {t('skipToPage')}
      </a>
      <div className={classes.rail}>
        <Brand />
        <Navigation className={classes.links} iconSize={20} />
      </div>
      <div className={classes.desk}>
        <header className={classes.top}>
          <StatusStrip />
          <div className={classes.menus}>
            <PaletteHost />
            <LanguageMenu />
            <ThemeMenu />
          </div>
        </header>
        <main className={classes.page} id="page" tabIndex={-1}>
          <DrainBanner />
          <ReportedError />
          <ErrorBoundary
            resetKey={pathname}
            fallback={(error, reset) => <ErrorAlert error={error} onDismiss={reset} />}
          >
            <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
          </ErrorBoundary>
        </main>
        <Footer />
      </div>
      <Navigation className={classes.bottomBar} iconSize={22} />
      <ControlPlaneBanner />
    </div>
  );
}

function Navigation({ className, iconSize }: { className: string | undefined; iconSize: number }) {
  const { t } = useTranslation();
  return (
    <div className={className}>
      <NavigationLinks screens={links} iconSize={iconSize} />
      <NavigationLinks screens={furtherLinks} label={t('navigation.further')} iconSize={iconSize} />
    </div>
  );
}

/** Scrolls to the top when another screen opens. Changing the tab or the language keeps the scroll position. */
function useTopOfPage(screen: Screen | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the screen triggers the effect
  useEffect(() => {
    // Without braces, the effect would return the promise of `scrollTo` in newer browsers, which React would take for a clean-up function.
    void window.scrollTo(0, 0);
  }, [screen]);
}

function Brand() {
  const { title } = useBeian();
  const toScreen = useScreenPath();
  return (
    <Link to={toScreen('scenario')} className={classes.brand}>
      <BrandMark size={34} />
      <span>{title}</span>
    </Link>
  );
}
