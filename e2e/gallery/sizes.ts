// Window sizes and themes of the gallery.

/** CSS pixels. */
export const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const;
export type Size = keyof typeof sizes;
export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];
