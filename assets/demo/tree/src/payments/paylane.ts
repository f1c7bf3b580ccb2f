import { config } from "../config.js";
import { ApiError } from "../errors.js";

async function call(path: string, body: object, key: string): Promise<{ id: string }> {
  const answer = await fetch(`${config.PAYLANE_URL}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${config.PAYLANE_KEY}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(8_000),
  });
  if (answer.status === 402) throw new ApiError(402, "card_declined", "The card was declined");
  if (!answer.ok) throw new ApiError(502, "provider_down", "The payment provider did not answer");
  return (await answer.json()) as { id: string };
}

export function charge(reference: string, amount: number, token: string) {
  return call("/charges", { reference, amount, token }, `charge-${reference}`);
}

export function sendRefund(reference: string, amount: number, ledgerId: number) {
  return call("/refunds", { reference, amount }, `refund-${ledgerId}`);
}
