// After a refused save, scrolls to the first invalid field of the form and focuses it. A form is a `form` element, or a
// `data-form` element that contains a `data-saves` button. `aria-invalid` marks an invalid field. `data-invalid` marks
// a message that belongs to no single field.
import { useEffect } from 'react';

/** Listens while the calling component is mounted. */
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

/** Delayed, because the page must first render the result of the validation. */
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
