/** How long places are kept while the passenger pays. */
export const HOLD_MINUTES = 15;

/** True in SQL for a booking that keeps its places; the sweeper cancels the others. */
export const LIVE_HOLD = `(state = 'held')`;

export function expiresAt(heldAt: Date): Date {
  return new Date(heldAt.getTime() + HOLD_MINUTES * 60_000);
}

export function isLive(heldAt: Date, now: Date): boolean {
  return expiresAt(heldAt) > now;
}
