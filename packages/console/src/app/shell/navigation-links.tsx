// The navigation links of the current access stage. The link of the current page is marked. The parent component lays them out.
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { type Screen, screenOfPath } from '../../navigation/paths.ts';
import { navigationIcons } from './navigation.ts';

export interface NavigationLinksProps {
  screens: readonly Screen[];
  label?: string;
  className?: string | undefined;
  iconSize?: number;
}

export function NavigationLinks({ screens, label, className, iconSize = 20 }: NavigationLinksProps) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const toScreen = useScreenPath();
  const current = screenOfPath(pathname);
  if (screens.length === 0) return null;
  return (
    <nav aria-label={label ?? t('navigation.label')} className={className}>
      {screens.map((screen) => {
        const Icon = navigationIcons[screen];
        return (
          <Link
            key={screen}
            to={toScreen(screen)}
            aria-current={screen === current ? 'page' : undefined}
            data-screen={screen}
          >
            <Icon size={iconSize} stroke={1.75} aria-hidden />
            <span>{t(`navigation.${screen}`)}</span>
          </Link>
        );
      })}
    </nav>
  );
}
