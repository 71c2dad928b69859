// Player pages follow the system between light and dark; the build turns `light-dark()` into this attribute's selectors.

/** Keeps the attribute of the page in step with the system from now on. */
export function followColorScheme(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    document.documentElement.dataset.mantineColorScheme = dark.matches ? 'dark' : 'light';
  };
  dark.addEventListener('change', apply);
  apply();
}
