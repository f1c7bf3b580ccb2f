import { transaction } from "../db.js";
import { ApiError } from "../errors.js";
import { sendRefund } from "./paylane.js";

/** Refunds `amount` cents of a booking: a negative ledger row first, then the provider. */
export async function refund(reference: string, amount: number) {
  return transaction(async (client) => {
    await client.query("select 1 from bookings where reference = $1 for update", [reference]);
    const sum = await client.query(
      "select coalesce(sum(amount), 0) as left from ledger where reference = $1",
      [reference],
    );
    if (amount > Number(sum.rows[0].left))
      throw new ApiError(409, "refund_too_large", "More than was paid");
    const row = await client.query(
      `insert into ledger (reference, kind, amount, provider)
       values ($1, 'refund', $2, 'paylane') returning id`,
      [reference, -amount],
    );
    await sendRefund(reference, amount, row.rows[0].id);
    return { reference, refunded: amount };
  });
}
