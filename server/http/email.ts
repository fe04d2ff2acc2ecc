/** Whether a text is likely an address of a person; whether mail arrives there nobody asks. */
export function isEmail(text: string): boolean {
  const isLikely = text.length <= 254 && /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/.test(text) && !/\p{Cc}/u.test(text);
  return isLikely && text.isWellFormed();
}
