// Asks for confirmation before typed values are lost: on navigation inside the console, and on closing or reloading it.
import { useContext, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
// The router supports blocking only for data routers, so its navigator, which links and tabs use, is wrapped.
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
