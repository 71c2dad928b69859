// After a refused save, scrolls to the first invalid field and focuses it, in every form of the console. A form is a `form` element, or an
// element with `data-form` that contains a button with `data-saves`. A field is invalid if it has `aria-invalid`; a message that belongs to
// no single field if it has `data-invalid`.
import { useEffect } from 'react';

/** Listens until the calling component is removed. */
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

/** Runs later, because the page renders the result of its validation first. */
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
