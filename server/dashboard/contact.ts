/** Who runs this service, where that is told: as it was set, and as an address to follow. */
export function contactOf(contact: string | null): { href: string; text: string } | null {
  return contact === null
    ? null
    : { href: contact.includes('://') ? contact : `mailto:${contact}`, text: contact };
}
