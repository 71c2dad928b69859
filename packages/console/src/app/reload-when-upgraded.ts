// Reloads an open page after an upgrade of the server, because files of the old build no longer exist.
// The page reloads once and then reports the upgrade.

const reloadedKey = 'SRS_STACK_RELOADED_AT';
const noticeKey = 'SRS_STACK_RELOAD_UNTOLD';
/** A second failure within this time (milliseconds) is not an upgrade but a broken build. The page then shows the error. */
const quietMs = 60_000;

/** Handles Vite's event for a screen whose code failed to load. */
export function reloadWhenUpgraded(reload: () => void = () => window.location.reload()): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (Date.now() - last < quietMs) return;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    sessionStorage.setItem(noticeKey, '1');
    event.preventDefault();
    reload();
  });
}

/** True once in a page that was reloaded after an upgrade. */
export function takeUpgradeNotice(): boolean {
  const isNoticeDue = sessionStorage.getItem(noticeKey) !== null;
  sessionStorage.removeItem(noticeKey);
  return isNoticeDue;
}
