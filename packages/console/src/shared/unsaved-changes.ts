// Requires confirmation before typed values are lost: on navigation inside the console, and when the tab is closed or reloaded.
import { useContext, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
// This router cannot block navigation (only data routers can), so its navigator, which links and tabs use, is wrapped.
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
