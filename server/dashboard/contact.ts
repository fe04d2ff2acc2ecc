/** Turns the configured contact, a URL or an email address, into a link. */
export function toContactLink(contact: string | null): { href: string; text: string } | null {
  return contact === null
    ? null
    : { href: contact.includes('://') ? contact : `mailto:${contact}`, text: contact };
}
