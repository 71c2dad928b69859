// Confirms the logout, deletes the credential of this browser and opens the login page.
import { calls } from '@srs-stack/contract/calls.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../api/api-client.ts';
import { forgetPrivateData } from '../../api/query-client.ts';
import { clearSession, readSession } from '../../api/stored-session.ts';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { useErrorReport } from '../../shared/errors/error-report.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** Display time of the confirmation, milliseconds. */
const shownMs = 600;

export default function LogoutPage({ onLogout }: { onLogout?: () => void }) {
  const { t } = useTranslation('logout');
  const client = useQueryClient();
  const navigate = useNavigate();
  const toScreen = useScreenPath();
  const { dismiss } = useErrorReport();
  const logOut = () => {
    clearSession();
    forgetPrivateData(client);
    dismiss();
    onLogout?.();
    void navigate(toScreen('login'), { replace: true });
  };
  const action = useRef(logOut);
  useEffect(() => {
    // Only the server can remove its cookie. Without a response, the cookie expires later; this browser is logged out in any case.
    if (readSession()) call(calls.logOut, {}).catch(() => undefined);
    const timer = setTimeout(() => action.current(), shownMs);
    // The browser is also logged out if the page is left or closed earlier.
    window.addEventListener('pagehide', clearSession);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', clearSession);
      clearSession();
    };
  }, []);
  return <PageTitle title={t('title')} />;
}
