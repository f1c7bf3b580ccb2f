import { randomInt } from "node:crypto";
import { Router } from "express";
import { z } from "zod";
import { transaction } from "../db.js";
import { asyncRoute } from "../middleware/async-route.js";
import { fare, seasonOf } from "../pricing/fares.js";
import { claim } from "./capacity.js";
import { expiresAt } from "./holds.js";

const NewBooking = z.object({
  sailingId: z.number().int(),
  date: z.string().date(),
  adults: z.number().int().min(1),
  children: z.number().int().min(0).default(0),
  cars: z.number().int().min(0).max(1).default(0),
  trailer: z.boolean().default(false),
});

// No 0/O and no 1/I: people read these aloud at the desk.
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const newReference = () => Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join("");

export const bookings = Router();

bookings.post("/", asyncRoute(async (req, res) => {
  const wanted = NewBooking.parse(req.body);
  const passengers = wanted.adults + wanted.children;
  const amount = fare({ ...wanted, deckMetres: wanted.cars * 5 }, seasonOf(wanted.date));
  const reference = newReference();
  await transaction(async (client) => {
    await claim(client, wanted.sailingId, { passengers, cars: wanted.cars });
    await client.query(
      `insert into bookings (reference, sailing_id, state, passengers, cars, amount)
       values ($1, $2, 'held', $3, $4, $5)`,
      [reference, wanted.sailingId, passengers, wanted.cars, amount],
    );
  });
  res.status(201).json({ reference, amount, expiresAt: expiresAt(new Date()) });
}));
