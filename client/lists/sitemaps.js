/** An index may name indexes of sitemaps, and these name no more of them. */
const indexLevelsMax = 2;
/**
 * Reads sitemaps one after the other, those of an index in its place, none twice. Each step is a list of pages, or what
 * was not read; a reading that answers null, having reported its fault itself, is no step.
 */
export async function* walkSitemaps(addresses, walk) {
    const known = new Set(addresses);
    const waiting = [...known].reverse().map((address) => ({ address, level: 0 }));
    for (let next = waiting.pop(); next; next = waiting.pop()) {
        const { address, level } = next;
        if (!walk.canRead()) {
            yield { address, document: null, problem: 'limit' };
            continue;
        }
        const isDeepest = level === indexLevelsMax;
        const document = await walk.read(address, isDeepest ? 0 : walk.indexMax);
        if (!document)
            continue;
        if (document.kind !== 'index') {
            yield { address, document, problem: null };
        }
        else if (isDeepest) {
            yield { address, document: null, problem: 'index_too_deep' };
        }
        else {
            const named = document.addresses.filter((child) => known.size < known.add(child).size);
            waiting.push(...named.reverse().map((child) => ({ address: child, level: level + 1 })));
        }
    }
}
