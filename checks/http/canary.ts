/** Whether an endpoint of the operator's own can be reached: then our network is well. Never rejects. */
export type Canary = () => Promise<boolean>;

const keptMs = 5_000;

/** A canary that asks once for all who want to know, and anew when the answer is five seconds old. */
export function createCanary(reach: () => Promise<boolean>, now: () => number = Date.now): Canary {
  let asked: Promise<boolean> | null = null;
  let answeredAtMs: number | null = null;
  return () => {
    const isOld = answeredAtMs !== null && now() - answeredAtMs >= keptMs;
    if (asked !== null && !isOld) return asked;
    answeredAtMs = null;
    asked = reach().finally(() => {
      answeredAtMs = now();
    });
    return asked;
  };
}
