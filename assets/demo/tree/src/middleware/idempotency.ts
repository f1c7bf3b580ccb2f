import type { RequestHandler } from "express";
import { ApiError } from "../errors.js";

interface Answer {
  status: number;
  body: unknown;
  at: number;
}

const KEEP_MS = 24 * 60 * 60 * 1000;
const answers = new Map<string, Answer>();

/** Answers a repeated POST with what the first one got. */
export const idempotency: RequestHandler = (req, res, next) => {
  if (req.method !== "POST") return next();
  const key = req.get("idempotency-key");
  if (!key) throw new ApiError(400, "idempotency_key_missing", "Send an Idempotency-Key");

  const id = `${req.path} ${key}`;
  const earlier = answers.get(id);
  if (earlier && Date.now() - earlier.at < KEEP_MS) {
    res.status(earlier.status).json(earlier.body);
    return;
  }
  const json = res.json.bind(res);
  res.json = (body) => {
    if (res.statusCode < 500) answers.set(id, { status: res.statusCode, body, at: Date.now() });
    return json(body);
  };
  next();
};
