import { IconEye, IconEyeOff } from '@tabler/icons-react';

/** Icon of the button that shows or hides a secret. @param reveal whether the secret is visible. */
export function RevealIcon({ reveal }: { reveal: boolean }) {
  const Sign = reveal ? IconEyeOff : IconEye;
  return <Sign size={18} aria-hidden />;
}
