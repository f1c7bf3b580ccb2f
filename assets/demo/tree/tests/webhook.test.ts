import { createHmac } from "node:crypto";
import type { Request, Response } from "express";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { heldBooking, ledgerOf, reset, testUrl } from "./helpers/db.js";

vi.stubEnv("DATABASE_URL", testUrl);
vi.stubEnv("PAYLANE_KEY", "test");
vi.stubEnv("PAYLANE_WEBHOOK_SECRET", "secret-of-the-tests");
vi.stubEnv("TOKEN_SECRET", "x".repeat(32));
const { paylaneWebhook, verify } = await import("../src/payments/webhook.js");

const sign = (body: Buffer) => createHmac("sha256", "secret-of-the-tests").update(body).digest("hex");

describe("the Paylane signature", () => {
  const body = Buffer.from('{"type":"charge.succeeded", "reference":"K7WQ2M"}');

  it("fits the bytes that were sent", () => {
    expect(verify(body, sign(body))).toBe(true);
  });
  it("does not fit the same JSON written anew", () => {
    const rewritten = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
    expect(verify(rewritten, sign(body))).toBe(false);
  });
});

describe("a charge that is delivered twice", () => {
  beforeEach(reset);

  it("is booked once", async () => {
    await heldBooking("K7WQ2M", 4600);
    const body = Buffer.from('{"type":"charge.succeeded","reference":"K7WQ2M","amount":4600}');
    const req = { body, get: () => sign(body) } as unknown as Request;
    const res = { status: () => ({ end: () => {} }) } as unknown as Response;
    await paylaneWebhook(req, res, () => {});
    await paylaneWebhook(req, res, () => {});
    expect(await ledgerOf("K7WQ2M")).toEqual([4600]);
  });
});
