import './password-form.css';
import { element } from '../player-stage.ts';
import type { Unlocked } from './watch-access.ts';
import type { WatchTexts } from './watch-texts.ts';

/** Creates the form, which the caller removes. */
export function createPasswordForm(
  t: WatchTexts,
  tryPassword: (password: string) => Promise<Unlocked>,
): { readonly root: HTMLFormElement; focus(): void } {
  const root = element('form', 'password');
  const title = element('strong', '', t.locked);
  const label = element('label', '', t.password);
  const input = element('input');
  const submit = element('button', '', t.open);
  const problem = element('p', 'problem');
  Object.assign(input, { id: 'password', type: 'password', required: true, autocomplete: 'current-password' });
  label.htmlFor = 'password';
  problem.setAttribute('role', 'alert');
  problem.id = 'password-problem';
  input.setAttribute('aria-describedby', problem.id);
  root.append(title, label, input, submit, problem);
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    submit.disabled = true;
    submit.textContent = t.opening;
    problem.textContent = '';
    const show = (unlocked: Unlocked): void => {
      submit.disabled = false;
      submit.textContent = t.open;
      if (unlocked.ok) return;
      problem.textContent = t.unlock[unlocked.problem];
      input.select();
      input.focus();
    };
    tryPassword(input.value).then(show, () => show({ ok: false, problem: 'away' }));
  });
  return { root, focus: () => input.focus() };
}
