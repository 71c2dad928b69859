// Login with a password, or with the credential stored in this browser.

import { calls } from '@srs-stack/contract/calls.ts';
import { loginSuccessDelayMs } from '@srs-stack/contract/constants.ts';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../../api/api-client.ts';
import { readSession, storeSession } from '../../api/stored-session.ts';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { useErrorReport } from '../../shared/errors/error-report.tsx';

export type LoginPhase = 'idle' | 'submitting' | 'accepted';

/** After a successful login, the page shows the result for `loginSuccessDelayMs`. Then it stores the session and opens the scenarios. */
export function useLogin(): { phase: LoginPhase; submit: (password: string) => Promise<void> } {
  const [phase, setPhase] = useState<LoginPhase>('idle');
  const { report, dismiss } = useErrorReport();
  const openScenarios = useOpenScenarios();
  const submit = async (password: string) => {
    if (phase !== 'idle') return;
    setPhase('submitting');
    dismiss();
    try {
      const session = await call(calls.login, { password });
      setPhase('accepted');
      await new Promise((resolve) => setTimeout(resolve, loginSuccessDelayMs));
      // May throw, because the storage can be unavailable (private mode, quota). The error is then shown.
      storeSession(session);
      openScenarios();
    } catch (error) {
      setPhase('idle');
      report(error);
    }
  };
  return { phase, submit };
}

/** Verifies the stored credential once. Returns true while the response is pending. */
export function useAutoLogin(): boolean {
  const [isVerifying, setIsVerifying] = useState(() => readSession() !== undefined);
  const { report } = useErrorReport();
  const openScenarios = useOpenScenarios();
  const actions = useRef({ report, openScenarios });
  actions.current = { report, openScenarios };
  useEffect(() => {
    if (!readSession()) return;
    const abort = new AbortController();
    call(calls.renewToken, {}, { signal: abort.signal }).then(
      () => actions.current.openScenarios(),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setIsVerifying(false);
        actions.current.report(error);
      },
    );
    return () => abort.abort();
  }, []);
  return isVerifying;
}

function useOpenScenarios(): () => void {
  const navigate = useNavigate();
  const toScreen = useScreenPath();
  return () => void navigate(toScreen('scenario'));
}
