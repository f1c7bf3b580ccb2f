import { pino } from "pino";
import { app } from "./app.js";
import { config } from "./config.js";

export const log = pino({ name: "tideline" });

app.listen(config.PORT, () => log.info({ port: config.PORT }, "listening"));
