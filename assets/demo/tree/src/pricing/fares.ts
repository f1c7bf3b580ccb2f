import { type Cents, cents, scale } from "./money.js";

export type Season = "low" | "high";

export interface Party {
  adults: number;
  children: number;
  deckMetres: number;
  trailer: boolean;
}

const ADULT = cents(1840);
const CHILD_FACTOR = 0.5;
const PER_METRE = cents(690);
const TRAILER_FACTOR = 0.5;
const SEASON_FACTOR: Record<Season, number> = { low: 1, high: 1.25 };

/** The fare of one direction. Factors multiply first; rounding happens once. */
export function fare(party: Party, season: Season): Cents {
  const people = ADULT * (party.adults + party.children * CHILD_FACTOR);
  const deck = PER_METRE * party.deckMetres;
  const trailer = party.trailer ? deck * TRAILER_FACTOR : 0;
  return scale(cents(1), (people + deck + trailer) * SEASON_FACTOR[season]);
}

/** A return trip costs both directions, less a tenth. */
export function returnFare(out: Cents, back: Cents): Cents {
  return scale(cents(out + back), 0.9);
}

export function seasonOf(date: string): Season {
  const month = Number(date.slice(5, 7));
  return month >= 5 && month <= 9 ? "high" : "low";
}
