// The part of a logger that most modules use, implemented by pino. A message is a constant text; variable values are fields.

export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
