import { describe, expect, it } from "vitest";
import { fare, returnFare } from "../src/pricing/fares.js";
import { cents, scale } from "../src/pricing/money.js";

const nobody = { adults: 0, children: 0, deckMetres: 0, trailer: false };

describe("fares", () => {
  it("charges children half", () => {
    expect(fare({ ...nobody, adults: 2, children: 1 }, "low")).toBe(4600);
  });
  it("adds half of the deck fare for a trailer", () => {
    expect(fare({ ...nobody, deckMetres: 8, trailer: true }, "low")).toBe(8280);
  });
  it("takes a tenth off a return trip", () => {
    expect(returnFare(cents(4600), cents(5750))).toBe(9315);
  });
  it("rounds half to even, once", () => {
    expect(scale(cents(5), 0.5)).toBe(2);
    expect(scale(cents(7), 0.5)).toBe(4);
  });
});
