import { describe, expect, it } from "vitest";
import { expiresAt, HOLD_MINUTES, isLive } from "../src/bookings/holds.js";

const noon = new Date("2026-06-01T12:00:00Z");

describe("holds", () => {
  it("lapse after the holding time", () => {
    expect(expiresAt(noon).getTime() - noon.getTime()).toBe(HOLD_MINUTES * 60_000);
  });
  it("count until the last second and not after", () => {
    const last = new Date(expiresAt(noon).getTime() - 1000);
    expect(isLive(noon, last)).toBe(true);
    expect(isLive(noon, expiresAt(noon))).toBe(false);
  });
});
