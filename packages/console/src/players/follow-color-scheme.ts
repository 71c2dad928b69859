// Player pages follow the system's light or dark scheme; the build converts `light-dark()` to selectors of this
// attribute.

/** Sets the attribute of the page to the system's scheme, now and after each change. */
export function followColorScheme(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    document.documentElement.dataset.mantineColorScheme = dark.matches ? 'dark' : 'light';
  };
  dark.addEventListener('change', apply);
  apply();
}
