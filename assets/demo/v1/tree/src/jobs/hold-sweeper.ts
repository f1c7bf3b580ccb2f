import { pool } from "../db.js";
import { HOLD_MINUTES } from "../bookings/holds.js";

const EVERY_MS = 60_000;

/** Cancels holds whose time is up. One per process; start it from server.ts. */
export function startHoldSweeper() {
  return setInterval(() => {
    void pool.query(
      `update bookings set state = 'cancelled'
        where state = 'held' and held_at < now() - interval '${HOLD_MINUTES} minutes'`,
    );
  }, EVERY_MS);
}
