/** Whether a text reads as an address or a domain; a host is looked for in time that grows with the text. */
export function isLikeAddress(text) {
    return isComplete(text) || /^[^\s/?#:@,;"]+\.[a-z]{2,}(?::\d+)?(?:[/?#]\S*)?$/i.test(text);
}
/** Whether nobody would look for it as a keyword: it has a scheme, a path, or begins with www. */
export function isSurelyAddress(text) {
    return isComplete(text) || (isLikeAddress(text) && /^www\.|[/]/i.test(text));
}
/** An address without a scheme with the one that most have; anything else as it is. */
export function withScheme(text) {
    return lacksScheme(text) ? `https://${text}` : text;
}
/** Whether it would be an address with a scheme before it. */
export function lacksScheme(text) {
    return !isComplete(text) && isLikeAddress(text);
}
function isComplete(text) {
    return /^[a-z][a-z0-9+.-]*:\/\/\S/i.test(text);
}
