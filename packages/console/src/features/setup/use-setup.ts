import { calls } from '@srs-stack/contract/calls.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../api/api-client.ts';
import { ApiError } from '../../api/api-error.ts';
import { apiQuery } from '../../api/api-query.ts';
import { storeSession } from '../../api/stored-session.ts';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { initQuery, useMarkInitialised } from '../../shared/boot-queries.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { showToast } from '../../ui/toast.ts';

/** Poll interval while the server upgrades or is not ready, milliseconds. */
const checkRetryMs = 2_000;

export interface SetupRequest {
  password: string;
  setupToken?: string;
}

export function useSetup() {
  const { t } = useTranslation('setup');
  const [isSubmitting, setIsSubmitting] = useState(false);
  const navigate = useNavigate();
  const toScreen = useScreenPath();
  const reportError = useReportError();
  const markInitialised = useMarkInitialised();
  const submit = async (request: SetupRequest) => {
    if (isSubmitting) return;
    setIsSubmitting(true);
    try {
      const response = await call(calls.init, request);
      if (!('token' in response)) throw notASession();
      try {
        storeSession(response);
      } finally {
        // The password is set even if this browser cannot store the session. The login page then opens.
        markInitialised();
      }
      void showToast({ message: t('done') });
      void navigate(toScreen('scenario'));
    } catch (error) {
      setIsSubmitting(false);
      reportError(error);
    }
  };
  return { isSubmitting, submit };
}

/** Whether the server is ready and not upgrading. */
export function useIsReadyForSetup(): boolean {
  const { data, isSuccess } = useQuery({
    ...apiQuery(calls.check, {}),
    refetchInterval: (query) => (query.state.data?.upgrading === false ? false : checkRetryMs),
  });
  return isSuccess && !data.upgrading;
}

export function useSetupTokenRequired(): boolean {
  return useQuery(initQuery).data?.setupTokenRequired ?? false;
}

function notASession(): ApiError {
  return new ApiError({ kind: 'malformed', message: 'the response to setup has no token', url: calls.init.path });
}
