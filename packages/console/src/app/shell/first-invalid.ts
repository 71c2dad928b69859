// After a save that a form refuses, the first field that is wrong is scrolled to and has the focus, on every form of the console. A form
// is a `form`, or what is marked `data-form` with a button `data-saves` in it. What is wrong is `aria-invalid`, or a message marked
// `data-invalid` where no single field is.
import { useEffect } from 'react';

/** Listens for the life of the frame. */
export function useFirstInvalid(): void {
  useEffect(() => {
    const onSubmit = ({ target }: Event): void => {
      if (target instanceof HTMLFormElement) showSoon(target);
    };
    const onClick = ({ target }: Event): void => {
      const button = target instanceof Element ? target.closest('[data-saves]') : null;
      const form = button?.closest<HTMLElement>('[data-form]');
      if (form) showSoon(form);
    };
    document.addEventListener('submit', onSubmit);
    document.addEventListener('click', onClick);
    return () => {
      document.removeEventListener('submit', onSubmit);
      document.removeEventListener('click', onClick);
    };
  }, []);
}

/** The page draws what its check has found before the next task. */
function showSoon(form: HTMLElement): void {
  setTimeout(() => {
    const found = [...form.querySelectorAll<HTMLElement>('[aria-invalid="true"], [data-invalid]')];
    const first = found.find((part) => part.checkVisibility());
    if (!first) return;
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    first.focus({ preventScroll: true });
    first.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' });
  });
}
