// Runs before the pre-rendered login page is painted. Hides it if the visitor is logged in or uses another language, and handles its input
// until the console's own code runs. Keys as in the contract's `storageKeys` and src/i18n/stored-locale.ts.
(() => {
  const page = document.documentElement;
  const stored = (key, field) => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? 'null')?.[field];
    } catch {
      return undefined;
    }
  };
  const segment = location.pathname.split('/')[2];
  const chosen = stored('SRS_STACK_LOCALE', 'lang') ?? stored('ORYX_LOCALE', 'lang') ?? page.dataset.defaultLocale;
  const isInLanguage = segment === page.dataset.locale || chosen === page.dataset.locale;
  if (stored('SRS_TERRAFORM_TOKEN', 'token') || !isInLanguage) {
    page.dataset.drawn = 'off';
    return;
  }
  const drawn = (event) => event.target.closest?.('#drawn');
  const field = (root) => root.querySelector('input:not([type=checkbox])');
  document.addEventListener('change', (event) => {
    const root = drawn(event);
    if (!root || event.target.type !== 'checkbox') return;
    field(root).type = event.target.checked ? 'text' : 'password';
    field(root).focus();
  });
  document.addEventListener('keydown', (event) => {
    const root = drawn(event);
    if (root && event.key === 'Enter' && event.target === field(root)) root.dataset.submitted = 'true';
  });
})();
