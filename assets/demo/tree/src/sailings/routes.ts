import { Router } from "express";
import { z } from "zod";
import { LIVE_HOLD } from "../bookings/holds.js";
import { pool } from "../db.js";

const Search = z.object({ from: z.string().length(3), date: z.string().date() });

export const sailings = Router();

sailings.get("/", async (req, res) => {
  const { from, date } = Search.parse(req.query);
  const found = await pool.query(
    `select s.id, s.origin, s.destination, s.departs_at, s.zone,
            s.passengers - coalesce(sum(b.passengers), 0) as free_passengers,
            s.deck_metres - coalesce(sum(b.deck_metres), 0) as free_metres
       from sailings s
       left join bookings b on b.sailing_id = s.id and (b.state = 'paid' or ${LIVE_HOLD})
      where s.origin = $1 and s.departs_at::date = $2
      group by s.id
      order by s.departs_at`,
    [from, date],
  );
  res.json({ sailings: found.rows });
});
