// Loads the data that every screen needs, and determines the access stage. Meanwhile shows progress or the failure.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isControlPlaneDown } from '../../api/api-error.ts';
import { isLoginDrawn } from '../../first-paint/drawn-login.ts';
import { useLocale } from '../../navigation/current-locale.ts';
import { environmentQuery, initQuery } from '../../shared/boot-queries.ts';
import { EnvironmentContext } from '../../shared/environment.ts';
import { FallbackScreen } from '../fallback-screen.tsx';
import { type AccessStage, accessStage } from './access-stage.ts';
import { LoadingScreen } from './loading-screen.tsx';
import { renewOldBearer } from './renew-old-bearer.ts';
import { useSession } from './use-session.ts';

/** Polling interval while the server starts (store not ready, restarting), milliseconds. */
const bootRetryMs = 2_000;

export function AccessGate({ children }: { children: (stage: AccessStage) => ReactNode }) {
  const { t } = useTranslation();
  const session = useSession();
  const locale = useLocale();
  const refetchInterval = (query: { state: { status: string } }) => query.state.status === 'error' && bootRetryMs;
  const environment = useQuery({ ...environmentQuery(locale), refetchInterval });
  const init = useQuery({ ...initQuery, refetchInterval });
  useEffect(() => void renewOldBearer(), []);
  if (environment.data && init.data) {
    const stage = accessStage(init.data.init, session !== undefined);
    return <EnvironmentContext value={environment.data}>{children(stage)}</EnvironmentContext>;
  }
  const reason = environment.failureReason ?? init.failureReason;
  if (reason && isControlPlaneDown(reason)) return <LoadingScreen message={t('controlPlane.away')} />;
  const error = environment.error ?? init.error;
  if (error) return <FallbackScreen error={error} />;
  // Renders nothing over the pre-rendered login page, which is already visible.
  return isLoginDrawn() ? null : <LoadingScreen message={t('loading')} />;
}
