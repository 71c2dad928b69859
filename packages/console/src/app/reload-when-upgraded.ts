// After an upgrade of the server, an open page asks for files of the old build, which are gone: it reloads itself once.

const reloadedKey = 'SRS_STACK_RELOADED_AT';
/** A second failure this soon is no upgrade but a broken build: the error is shown instead, milliseconds. */
const quietMs = 60_000;

/** Listens to Vite's event for a screen whose code could not be fetched. */
export function reloadWhenUpgraded(reload: () => void = () => window.location.reload()): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (Date.now() - last < quietMs) return;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    event.preventDefault();
    reload();
  });
}
