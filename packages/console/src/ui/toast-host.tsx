import { CloseButton, MantineThemeProvider } from '@mantine/core';
import { useMemo, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { maxToasts, toastHost } from './toast.ts';
import classes from './toast-host.module.css';

export function ToastHost() {
  const { Notifications, plain } = useSyncExternalStore(toastHost.subscribe, toastHost.state, toastHost.state);
  if (Notifications === undefined && plain.length === 0) return null;
  return (
    <>
      {Notifications && (
        <NamedCloseButtons>
          <Notifications position="bottom-center" limit={maxToasts} classNames={{ root: classes.host! }} />
        </NamedCloseButtons>
      )}
      {plain.length > 0 && <PlainToasts />}
    </>
  );
}

/** Adds names for screen readers to the library's close buttons, which have only an icon. */
function NamedCloseButtons({ children }: { children: React.ReactNode }) {
  const { t } = useTranslation();
  const label = t('close');
  const theme = useMemo(
    () => ({ components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': label } } } } }),
    [label],
  );
  return <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>;
}

function PlainToasts() {
  const { t } = useTranslation();
  const { plain } = toastHost.state();
  return (
    <div className={classes.plainList}>
      {plain.map(({ id, title, message, tone = 'good' }) => (
        <div key={id} className={classes.plain} role={tone === 'bad' ? 'alert' : 'status'} data-tone={tone}>
          <div>
            {title && <strong>{title}</strong>}
            <div>{message}</div>
          </div>
          <CloseButton aria-label={t('close')} onClick={() => toastHost.dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
