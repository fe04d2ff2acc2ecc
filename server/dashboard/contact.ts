/** Turns the configured contact into a link. It is a URL or an email address. */
export function toContactLink(contact: string | null): { href: string; text: string } | null {
  return contact === null
    ? null
    : { href: contact.includes('://') ? contact : `mailto:${contact}`, text: contact };
}
