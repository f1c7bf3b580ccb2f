import pg from "pg";

export const testUrl = "postgres://postgres@localhost:5433/tideline_test";

async function connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: testUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Empties every table, so that each test starts from nothing. */
export async function reset() {
  await connected((db) => db.query("truncate bookings, sailings, ledger restart identity cascade"));
}

/** A booking that waits for its payment, on a sailing of its own. */
export async function heldBooking(reference: string, amount = 4600) {
  await connected(async (db) => {
    const sailing = await db.query(
      `insert into sailings (origin, destination, departs_at, zone, passengers, cars)
       values ('SKA', 'HVN', '2026-06-01 09:15', 'Europe/Oslo', 80, 12) returning id`,
    );
    await db.query(
      `insert into bookings (reference, sailing_id, state, passengers, amount)
       values ($1, $2, 'held', 3, $3)`,
      [reference, sailing.rows[0].id, amount],
    );
  });
}

export async function ledgerOf(reference: string): Promise<number[]> {
  const rows = await connected((db) =>
    db.query("select amount from ledger where reference = $1 order by id", [reference]),
  );
  return rows.rows.map((row) => row.amount);
}
