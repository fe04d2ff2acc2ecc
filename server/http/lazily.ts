/** Returns a function that calls `make` once, on its first call, and caches the result. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
