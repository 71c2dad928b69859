// Dialog with the HTML that embeds the player in another page.
import { copyText } from '../../ui/copy-text.ts';
import { element } from '../player-stage.ts';
import type { WatchTexts } from './watch-texts.ts';

/** HTML of a frame that fills the width at 16:9. A URL contains no quotes, so the address needs no escaping. */
export function embedCode(page: URL, title: string): string {
  const frame = new URL(page.pathname, page);
  frame.searchParams.set('embed', '1');
  const holder = element('div');
  const iframe = document.createElement('iframe');
  iframe.setAttribute('src', frame.href);
  iframe.setAttribute('title', title);
  iframe.setAttribute('style', 'width:100%;aspect-ratio:16/9;border:0');
  iframe.setAttribute('allow', 'autoplay; fullscreen; picture-in-picture');
  holder.append(iframe);
  return holder.innerHTML;
}

export function createEmbedDialog(t: WatchTexts, code: string): HTMLDialogElement {
  const dialog = element('dialog', 'embed');
  const title = element('h2', '', t.embed);
  const text = element('textarea');
  const notice = element('output');
  const copy = element('button', 'primary', t.copyCode);
  const close = element('button', '', t.close);
  const actions = element('div', 'actions');
  dialog.setAttribute('aria-label', t.embed);
  Object.assign(text, { value: code, readOnly: true, rows: 4 });
  text.setAttribute('aria-label', t.embed);
  text.addEventListener('focus', () => text.select());
  copy.type = 'button';
  close.type = 'button';
  copy.addEventListener('click', () => {
    copyText(code).then(
      () => notice.replaceChildren(t.copied),
      () => notice.replaceChildren(t.copyFailed),
    );
  });
  close.addEventListener('click', () => dialog.close());
  actions.append(copy, close, notice);
  dialog.append(title, element('p', '', t.embedAdvice), text, actions);
  return dialog;
}
