import { randomInt } from "node:crypto";
import { Router } from "express";
import { z } from "zod";
import { requireOperator } from "../auth/require-operator.js";
import { pool, transaction } from "../db.js";
import { ApiError } from "../errors.js";
import { charge } from "../payments/paylane.js";
import { refund } from "../payments/refunds.js";
import { fare, seasonOf } from "../pricing/fares.js";
import { claim } from "./capacity.js";
import { expiresAt, isLive } from "./holds.js";

const NewBooking = z.object({
  sailingId: z.number().int(),
  date: z.string().date(),
  adults: z.number().int().min(1),
  children: z.number().int().min(0).default(0),
  deckMetres: z.number().min(0).max(18).default(0),
  trailer: z.boolean().default(false),
});

// No 0/O and no 1/I: people read these aloud at the desk.
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const newReference = () => Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join("");

export const bookings = Router();

bookings.post("/", async (req, res) => {
  const wanted = NewBooking.parse(req.body);
  const passengers = wanted.adults + wanted.children;
  const amount = fare(wanted, seasonOf(wanted.date));
  const reference = newReference();
  await transaction(async (client) => {
    await claim(client, wanted.sailingId, { passengers, deckMetres: wanted.deckMetres });
    await client.query(
      `insert into bookings (reference, sailing_id, state, passengers, deck_metres, amount)
       values ($1, $2, 'held', $3, $4, $5)`,
      [reference, wanted.sailingId, passengers, wanted.deckMetres, amount],
    );
  });
  res.status(201).json({ reference, amount, expiresAt: expiresAt(new Date()) });
});

bookings.post("/:reference/pay", async (req, res) => {
  const { token } = z.object({ token: z.string() }).parse(req.body);
  const found = await pool.query("select * from bookings where reference = $1", [req.params.reference]);
  const booking = found.rows[0];
  if (!booking) throw new ApiError(404, "no_such_booking", "No such booking");
  if (booking.state !== "held" || !isLive(booking.held_at, new Date()))
    throw new ApiError(409, "hold_expired", "The hold has expired");
  await charge(booking.reference, booking.amount, token);
  res.status(202).json({ reference: booking.reference, state: "paying" });
});

bookings.post("/:reference/refund", requireOperator("manager"), async (req, res) => {
  const { amount } = z.object({ amount: z.number().int().positive() }).parse(req.body);
  res.json(await refund(String(req.params.reference), amount));
});
