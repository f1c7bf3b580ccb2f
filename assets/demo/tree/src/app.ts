import express from "express";
import { bookings } from "./bookings/routes.js";
import { errorHandler } from "./errors.js";
import { idempotency } from "./middleware/idempotency.js";
import { rateLimit } from "./middleware/rate-limit.js";
import { paylaneWebhook } from "./payments/webhook.js";
import { sailings } from "./sailings/routes.js";

export const app = express();

// The signature covers the bytes as they came, so this stands before express.json().
app.post("/webhooks/paylane", express.raw({ type: "application/json" }), paylaneWebhook);

app.use(express.json());
app.use(rateLimit({ perMinute: 120 }));
app.use(idempotency);
app.get("/health", (_req, res) => {
  res.json({ ok: true });
});
app.use("/sailings", sailings);
app.use("/bookings", bookings);
app.use(errorHandler);
