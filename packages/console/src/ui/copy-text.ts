// Puts text on the clipboard, also on plain-HTTP pages, where browsers hide the clipboard API.

/** The browser did not copy and gave no reason. */
export class CopyRefused extends Error {}

/** @throws CopyRefused, or the browser's own error, when nothing could be copied. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard && window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  copyThroughSelection(text);
}

function copyThroughSelection(text: string): void {
  const area = document.createElement('textarea');
  const focused = document.activeElement;
  area.value = text;
  area.readOnly = true;
  area.style.cssText = 'position:fixed;top:0;left:0;opacity:0';
  document.body.append(area);
  area.focus();
  area.select();
  try {
    if (!document.execCommand('copy')) throw new CopyRefused();
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
