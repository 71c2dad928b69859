// Asks for confirmation before navigation, closing or reloading discards typed values.
import { useContext, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
// Only data routers can block navigation. The console has none, so the navigator used by links and tabs is wrapped.
import { UNSAFE_NavigationContext as NavigationContext } from 'react-router';

export function useUnsavedChanges(isDirty: boolean): void {
  const { t } = useTranslation();
  const { navigator } = useContext(NavigationContext);
  const question = t('unsaved');
  useEffect(() => {
    if (!isDirty) return;
    const onClose = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onClose);
    const { push } = navigator;
    navigator.push = (...target) => {
      if (window.confirm(question)) push.apply(navigator, target);
    };
    return () => {
      window.removeEventListener('beforeunload', onClose);
      navigator.push = push;
    };
  }, [isDirty, navigator, question]);
}
