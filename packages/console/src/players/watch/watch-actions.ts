import { copyText } from '../../ui/copy-text.ts';
import { element } from '../player-stage.ts';
import { createEmbedDialog, embedCode } from './embed-dialog.ts';
import type { WatchTexts } from './watch-texts.ts';

export function createActions(
  t: WatchTexts,
  page: URL,
  name: () => string,
): { readonly root: HTMLElement; readonly dialog: HTMLElement } {
  const root = element('div', 'actions');
  const notice = element('output');
  const dialog = element('div');
  const details = button(t.details, () => document.body.classList.toggle('with-details'));
  details.classList.add('details');
  root.append(
    details,
    button(t.share, () => {
      copyText(shareLink(page)).then(
        () => notice.replaceChildren(t.shared),
        () => notice.replaceChildren(t.copyFailed),
      );
    }),
    button(t.embed, () => {
      const embed = createEmbedDialog(t, embedCode(page, name()));
      dialog.replaceChildren(embed);
      embed.showModal();
    }),
    notice,
  );
  return { root, dialog };
}

/** The link omits the viewer's own authorization. */
function shareLink(page: URL): string {
  return new URL(page.pathname, page).href;
}

function button(text: string, onClick: () => void): HTMLButtonElement {
  const created = element('button', '', text);
  created.type = 'button';
  created.addEventListener('click', onClick);
  return created;
}
