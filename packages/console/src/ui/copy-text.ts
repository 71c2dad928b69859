// Copies text even without the clipboard API, which is missing over plain HTTP and refused in frames of other sites.

/** The browser refused to copy without a reason. */
export class CopyRefused extends Error {}

/** @throws CopyRefused or an error of the browser if the text was not copied. */
export async function copyText(text: string): Promise<void> {
  if (!navigator.clipboard || !window.isSecureContext) {
    copyThroughSelection(text);
    return;
  }
  try {
    await navigator.clipboard.writeText(text);
  } catch (error) {
    if (!isCopiedThroughSelection(text)) throw error;
  }
}

function isCopiedThroughSelection(text: string): boolean {
  try {
    copyThroughSelection(text);
    return true;
  } catch {
    return false;
  }
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
