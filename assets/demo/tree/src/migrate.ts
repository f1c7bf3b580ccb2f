import { readdir, readFile } from "node:fs/promises";
import { transaction } from "./db.js";

await transaction(async (client) => {
  await client.query("create table if not exists migrations (name text primary key)");
  const done = await client.query<{ name: string }>("select name from migrations");
  const seen = new Set(done.rows.map((row) => row.name));
  for (const name of (await readdir("migrations")).sort()) {
    if (seen.has(name)) continue;
    await client.query(await readFile(`migrations/${name}`, "utf8"));
    await client.query("insert into migrations values ($1)", [name]);
  }
});
