// Caps lock hint of password fields. Space is reserved, so that the hint does not move other elements.
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './caps-lock.module.css';

export function useCapsLock() {
  const [isOn, setIsOn] = useState(false);
  const onKey = (event: KeyboardEvent) => setIsOn(event.getModifierState?.('CapsLock') ?? false);
  return { isOn, handlers: { onKeyDown: onKey, onKeyUp: onKey, onBlur: () => setIsOn(false) } };
}

export function CapsLockHint({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation();
  return (
    <p className={classes.hint} aria-live="polite">
      {isOn ? t('capsLock') : ''}
    </p>
  );
}
