// Opens the command palette and the sheet of shortcuts, by a button and by keys. Both are fetched when they are first opened.
import { IconSearch } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { ErrorBoundary } from '../../shared/errors/error-boundary.tsx';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { lazyScreen } from '../../shared/lazy-screen.ts';
import { pageKeys, searchOfTab } from '../keyboard/page-keys.ts';
import { paletteKeys, useShortcuts } from '../keyboard/use-shortcuts.ts';
import classes from './palette-host.module.css';

const CommandPalette = lazyScreen(() => import('./command-palette.tsx'), ['palette', 'scenario', 'settings']);
const ShortcutSheet = lazyScreen(() => import('./shortcut-sheet.tsx'), ['palette', 'scenario', 'settings']);

export function PaletteHost() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<'palette' | 'keys'>();
  const navigate = useNavigate();
  const toScreen = useScreenPath();
  const close = () => setOpened(undefined);
  const openPalette = () => setOpened('palette');
  const openKeys = () => setOpened('keys');
  useShortcuts(
    new Map([
      [paletteKeys, () => setOpened((now) => (now === 'palette' ? undefined : 'palette'))],
      ['/', openPalette],
      ['?', openKeys],
      ...pageKeys.map(
        ({ keys, screen, tab }) => [keys, () => void navigate(toScreen(screen, searchOfTab(tab)))] as const,
      ),
    ]),
  );
  return (
    <>
      <button
        type="button"
        className={classes.button}
        aria-label={t('palette.open')}
        aria-keyshortcuts="Control+K Meta+K"
        title={t('palette.open')}
        onClick={openPalette}
        onPointerEnter={CommandPalette.preload}
      >
        <IconSearch size={19} aria-hidden />
        <span className={classes.words}>{t('palette.open')}</span>
      </button>
      {opened && (
        <ErrorBoundary key={opened} fallback={(error) => <Reported error={error} />}>
          <Suspense>
            {opened === 'palette' ? (
              <CommandPalette onClose={close} onShowKeys={openKeys} />
            ) : (
              <ShortcutSheet onClose={close} />
            )}
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}

/** Shows in the page header that the palette failed to load. */
function Reported({ error }: { error: unknown }) {
  const report = useReportError();
  useEffect(() => report(error), [error, report]);
  return null;
}
