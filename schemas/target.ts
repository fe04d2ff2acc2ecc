declare const parsed: unique symbol;

/** An address that was judged at the door and is carried from there on as it was read. */
export interface Target {
  readonly [parsed]: true;
  /** What bodies repeat. */
  readonly asSent: string;
  /** The address as it is asked for, without white space around. */
  readonly href: string;
}

/** Only for an address that was judged. */
export function targetOf(asSent: string, { href }: { href: string }): Target {
  return { asSent, href } as Target;
}
