import { createHmac, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import { config } from "../config.js";
import { transaction } from "../db.js";
import { ApiError } from "../errors.js";

export function verify(body: Buffer, signature: string): boolean {
  const expected = createHmac("sha256", config.PAYLANE_WEBHOOK_SECRET).update(body).digest();
  const given = Buffer.from(signature, "hex");
  return expected.length === given.length && timingSafeEqual(expected, given);
}

export const paylaneWebhook: RequestHandler = async (req, res) => {
  if (!verify(req.body, req.get("paylane-signature") ?? ""))
    throw new ApiError(400, "bad_signature", "The signature does not fit the body");
  const event = JSON.parse(req.body.toString("utf8"));
  if (event.type === "charge.succeeded") {
    await transaction(async (client) => {
      const paid = await client.query(
        "update bookings set state = 'paid' where reference = $1 and state = 'held'",
        [event.reference],
      );
      if (paid.rowCount === 0) return; // delivered twice
      await client.query(
        "insert into ledger (reference, kind, amount, provider) values ($1, 'charge', $2, 'paylane')",
        [event.reference, event.amount],
      );
    });
  }
  res.status(204).end();
};
