/** An amount in cents. Never a float, never a string. */
export type Cents = number & { readonly unit: "cents" };

export function cents(amount: number): Cents {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not whole cents: ${amount}`);
  return amount as Cents;
}

/** `amount` × `factor`, rounded half to even. The only place that rounds. */
export function scale(amount: Cents, factor: number): Cents {
  const exact = amount * factor;
  const floor = Math.floor(exact);
  const rest = exact - floor;
  if (Math.abs(rest - 0.5) < 1e-9) return cents(floor % 2 === 0 ? floor : floor + 1);
  return cents(Math.round(exact));
}

export function format(amount: Cents): string {
  return `€${(amount / 100).toFixed(2)}`;
}
