import type { RequestHandler } from "express";
import { ApiError } from "../errors.js";

/** A fixed window for each API key; callers without one share a window. */
export function rateLimit({ perMinute }: { perMinute: number }): RequestHandler {
  const windows = new Map<string, { start: number; count: number }>();
  return (req, _res, next) => {
    const key = req.get("x-api-key") ?? "anonymous";
    const now = Date.now();
    const current = windows.get(key);
    const window = current && now - current.start < 60_000 ? current : { start: now, count: 0 };
    window.count += 1;
    windows.set(key, window);
    if (window.count > perMinute) throw new ApiError(429, "too_many_requests", "Slow down");
    next();
  };
}
