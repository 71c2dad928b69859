// Runs before the first paint, so that a stored dark theme does not flash white. Same key as src/theme/color-scheme.ts.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem('SRS_STACK_THEME');
  } catch {
    // Storage may be blocked; the system's preference then applies.
  }
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
