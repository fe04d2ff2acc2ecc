declare const parsed: unique symbol;

/** An address that was judged at the door and is carried from there on as it was read. */
export interface Target {
  readonly [parsed]: true;
  /** What bodies repeat. */
  readonly asSent: string;
  /** The address as it is asked for, without white space around. */
  readonly href: string;
  /** Its host with its port, as check slots and receivers are counted. */
  readonly host: string;
}

/** Only for an address that was judged. */
export function targetOf(asSent: string, { href, host }: { href: string; host: string }): Target {
  return { asSent, href, host } as Target;
}
