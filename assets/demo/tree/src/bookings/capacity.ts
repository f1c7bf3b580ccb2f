import type pg from "pg";
import { ApiError } from "../errors.js";
import { LIVE_HOLD } from "./holds.js";

export interface Wanted {
  passengers: number;
  deckMetres: number;
}

/** Throws unless the sailing has room. Locks its row until the transaction ends. */
export async function claim(client: pg.PoolClient, sailingId: number, wanted: Wanted) {
  const sailing = await client.query(
    "select passengers, deck_metres from sailings where id = $1 for update",
    [sailingId],
  );
  const room = sailing.rows[0];
  if (!room) throw new ApiError(404, "no_such_sailing", "No such sailing");
  const taken = await client.query(
    `select coalesce(sum(passengers), 0) as passengers,
            coalesce(sum(deck_metres), 0) as deck_metres
       from bookings
      where sailing_id = $1 and (state = 'paid' or ${LIVE_HOLD})`,
    [sailingId],
  );
  const used = taken.rows[0];
  if (Number(used.passengers) + wanted.passengers > room.passengers)
    throw new ApiError(409, "sailing_full", "No passenger places left");
  if (Number(used.deck_metres) + wanted.deckMetres > Number(room.deck_metres))
    throw new ApiError(409, "deck_full", "No room on the car deck");
}
