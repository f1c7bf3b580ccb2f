import express from "express";
import { bookings } from "./bookings/routes.js";
import { errorHandler } from "./errors.js";
import { sailings } from "./sailings/routes.js";

export const app = express();

app.use(express.json());
app.get("/health", (_req, res) => {
  res.json({ ok: true });
});
app.use("/sailings", sailings);
app.use("/bookings", bookings);
app.use(errorHandler);
