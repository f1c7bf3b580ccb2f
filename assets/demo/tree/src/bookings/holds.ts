/** How long places are kept while the passenger pays. */
export const HOLD_MINUTES = 10;

/** True in SQL for a booking whose hold still counts; an expired hold simply stops matching. */
export const LIVE_HOLD = `(state = 'held' and held_at > now() - interval '${HOLD_MINUTES} minutes')`;

export function expiresAt(heldAt: Date): Date {
  return new Date(heldAt.getTime() + HOLD_MINUTES * 60_000);
}

export function isLive(heldAt: Date, now: Date): boolean {
  return expiresAt(heldAt) > now;
}
