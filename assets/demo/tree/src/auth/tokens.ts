import { createHmac, timingSafeEqual } from "node:crypto";
import { config } from "../config.js";

const LIFETIME_SECONDS = 30 * 60;

export interface Operator {
  id: string;
  role: "desk" | "manager";
}

function sign(payload: string): string {
  return createHmac("sha256", config.TOKEN_SECRET).update(payload).digest("base64url");
}

export function issueToken(operator: Operator, now = Date.now()): string {
  const expires = Math.floor(now / 1000) + LIFETIME_SECONDS;
  const payload = Buffer.from(JSON.stringify({ ...operator, expires })).toString("base64url");
  return `${payload}.${sign(payload)}`;
}

export function readToken(token: string, now = Date.now()): Operator | null {
  const [payload = "", signature = ""] = token.split(".");
  const expected = Buffer.from(sign(payload));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
  const { id, role, expires } = JSON.parse(Buffer.from(payload, "base64url").toString());
  return expires * 1000 > now ? { id, role } : null;
}
