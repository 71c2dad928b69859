// Whether an element is on screen in a visible tab.
import { type RefObject, useEffect, useState } from 'react';

/** @param initially value until the browser reports visibility. True loads data immediately; false saves requests in long lists. */
export function useVisible(ref: RefObject<Element | null>, { initially = true } = {}): boolean {
  const [onScreen, setOnScreen] = useState(initially);
  const [tabShown, setTabShown] = useState(() => document.visibilityState !== 'hidden');
  useEffect(() => {
    const element = ref.current;
    if (element === null || typeof IntersectionObserver === 'undefined') return setOnScreen(true);
    const observer = new IntersectionObserver((entries) => setOnScreen(entries.at(-1)?.isIntersecting ?? true));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  useEffect(() => {
    const onChange = () => setTabShown(document.visibilityState !== 'hidden');
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  return onScreen && tabShown;
}
