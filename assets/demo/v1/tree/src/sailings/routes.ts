import { Router } from "express";
import { z } from "zod";
import { pool } from "../db.js";

const Search = z.object({ from: z.string().length(3), date: z.string().date() });

export const sailings = Router();

sailings.get("/", (req, res, next) => {
  const { from, date } = Search.parse(req.query);
  pool
    .query("select * from sailings where origin = $1 and departs_at::date = $2 order by departs_at", [from, date])
    .then((found) => res.json({ sailings: found.rows }))
    .catch(next);
});
