declare const parsed: unique symbol;

/** A URL that was validated. */
export interface Target {
  readonly [parsed]: true;
  /** The caller's text. Responses repeat it. */
  readonly asSent: string;
  /** The URL that Sonde requests, without surrounding white space. */
  readonly href: string;
}

/** Creates a target. Call it only with a validated URL. */
export function createTarget(asSent: string, { href }: { href: string }): Target {
  return { asSent, href } as Target;
}
