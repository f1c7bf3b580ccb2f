import { z } from "zod";

const Env = z.object({
  PORT: z.coerce.number().default(8080),
  DATABASE_URL: z.string().url(),
  PAYLANE_URL: z.string().url().default("https://api.paylane.example"),
  PAYLANE_KEY: z.string().min(1),
  PAYLANE_WEBHOOK_SECRET: z.string().min(1),
  TOKEN_SECRET: z.string().min(32),
  FLAGS: z.string().default(""),
});

export const config = Env.parse(process.env);

const flags = new Set(config.FLAGS.split(",").filter(Boolean));

export function flag(name: string): boolean {
  return flags.has(name);
}
