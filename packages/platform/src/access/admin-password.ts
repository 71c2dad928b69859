// The admin password of the console, stored in `config/.env`, where the operator can read or replace it (docs/reference/api.md).
import { AppError } from '@srs-stack/contract';
import { secretsEqual } from './secrets-equal.ts';

/** Storage of the password. */
export interface PasswordFile {
  readPassword(): Promise<string | undefined>;
  writePassword(password: string): Promise<void>;
}

export interface AdminPassword {
  isSet(): boolean;
  current(): string;
  /** Compares in constant time; false while no password is set. */
  matches(candidate: string): boolean;
  /** Writes the file first, then uses the new password. Throws `passwordMissing` or `passwordUnusable`. */
  replace(password: string): Promise<void>;
}

/**
 * Loads the password from the file. Without a password in the file, uses `fromProcess` from the process environment. Calls `onSet` after
 * each replacement.
 */
export async function openAdminPassword(
  file: PasswordFile,
  fromProcess: string,
  onSet: () => Promise<void> = async () => undefined,
): Promise<AdminPassword> {
  let password = (await file.readPassword()) || fromProcess;
  return {
    isSet: () => password !== '',
    current: () => password,
    matches: (candidate) => secretsEqual(candidate, password) && password !== '',
    async replace(next) {
      if (next === '') throw new AppError('passwordMissing');
      await file.writePassword(next);
      password = next;
      await onSet();
    },
  };
}
