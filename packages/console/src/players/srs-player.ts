// `/players/srs_player.html`: the player with an address form and a shareable link.
import { copyText } from '../ui/copy-text.ts';
import './player.css';
import { createPlayerPage, type PlayerPage } from './player-page.ts';
import { element } from './player-stage.ts';
import { parseSrsPlayerQuery, shareLink } from './srs-player-query.ts';
import { simpleEngine } from './stage-player.ts';

const page = createPlayerPage(simpleEngine);
const requested = parseSrsPlayerQuery(page.query, new URL(location.href));
document.title = page.t.srsTitle;
document.body.classList.add('with-form');
document.body.append(createForm(page, requested.address), page.stage.root);
if (requested.autostart) page.open(requested.address);
else page.stage.showMessage(page.t.idle, '');

function createForm({ t, open, close, stage }: PlayerPage, address: string): HTMLFormElement {
  const form = element('form', 'address-form');
  const label = element('label', '', t.address);
  const input = element('input');
  const hint = element('small', '', t.addressHint);
  Object.assign(input, { id: 'address', type: 'text', inputMode: 'url', value: address, required: true });
  Object.assign(input, { spellcheck: false, autocapitalize: 'off', autocomplete: 'off' });
  label.htmlFor = 'address';
  hint.id = 'address-hint';
  input.setAttribute('aria-describedby', hint.id);
  const submit = element('button', 'primary', t.open);
  const stop = element('button', '', t.stop);
  const share = element('button', '', t.copyLink);
  stop.type = 'button';
  share.type = 'button';
  const notice = element('output');
  const actions = element('div', 'actions');
  actions.append(submit, stop, share);
  form.append(label, input, hint, actions, notice);

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    open(input.value);
  });
  stop.addEventListener('click', () => {
    close();
    stage.showMessage(t.idle, '');
  });
  share.addEventListener('click', () => {
    const link = shareLink(input.value, new URL(location.href));
    copyText(link).then(
      () => notice.replaceChildren(t.copied),
      () => notice.replaceChildren(`${t.copyFailed}${link}`),
    );
  });
  return form;
}
