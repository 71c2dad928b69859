// Player pages follow the system's colour scheme. The build replaces CSS `light-dark()` with selectors for an attribute of <html>.

/** Sets this attribute to the system's scheme, now and after each change. */
export function followColorScheme(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    document.documentElement.dataset.mantineColorScheme = dark.matches ? 'dark' : 'light';
  };
  dark.addEventListener('change', apply);
  apply();
}
