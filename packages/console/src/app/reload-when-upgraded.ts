// After an upgrade of the server, an open page requests files of the old build, which no longer exist. The page reloads
// itself once and then reports the upgrade.

const reloadedKey = 'SRS_STACK_RELOADED_AT';
const noticeKey = 'SRS_STACK_RELOAD_UNTOLD';
/** A second failure within this time, milliseconds, means a broken build and not an upgrade: the error is shown. */
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

/** True once, in the page that was reloaded after an upgrade. */
export function takeUpgradeNotice(): boolean {
  const isNoticeDue = sessionStorage.getItem(noticeKey) !== null;
  sessionStorage.removeItem(noticeKey);
  return isNoticeDue;
}
